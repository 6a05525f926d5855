-- Steps of the day-end that go on from where they were, strategies that are edited, and uploaded files.

-- A step is done chunk by chunk: its row holds the figures so far, and the place where the next chunk begins.
alter table day_end_step
  add column is_done boolean not null default true,
  add column place jsonb,
  -- The job that did its last chunk; null for steps of before this migration.
  add column job_id uuid;

-- A letter may go by e-mail, with the document attached, where the client has it so: null for as the party above. Never in
-- Norway, whose law has the notices written on paper (inkassoloven §§ 9 and 10, as quoted by jusinfo.no).
alter table party add column letters_by_email boolean;
create function sends_letters_by_email(party_id uuid) returns boolean language sql stable as $$
  with recursive above as (
    select id, parent_id, letters_by_email, country_code, 0 as distance from party where id = party_id
    union all
    select p.id, p.parent_id, p.letters_by_email, p.country_code, a.distance + 1
    from party p join above a on p.id = a.parent_id
  )
  select coalesce((select letters_by_email from above where letters_by_email is not null order by distance limit 1), false)
    and (select country_code from above where country_code is not null order by distance limit 1) is distinct from 'NO'
$$;
alter table message
  drop constraint message_document,
  add constraint message_document check (
    case channel when 'letter' then document_id is not null when 'email' then true else document_id is null end);

-- A strategy that is edited gets a new version: its steps of every version are kept, for the cases that go by them.
alter table strategy
  add column version int not null default 1,
  -- Cases that go by an older version go by this one.
  add column running_from int not null default 1,
  add column event_sequence bigint not null default 0;
alter table strategy_step
  add column version int not null default 1,
  drop constraint strategy_step_strategy_id_number_key,
  drop constraint strategy_step_strategy_id_code_key,
  add unique (strategy_id, version, number),
  add unique (strategy_id, version, code);

-- Files that were uploaded to be imported: here, so that whichever node imports them has them. What a file holds is
-- removed once it is imported; the report of what was rejected stays as long as the row.
create table uploaded_file (
  id uuid primary key,
  what text not null,
  source text not null,
  file_name text not null,
  -- How it is to be read: delimiter, encoding, mappings, duplicates.
  options jsonb not null default '{}',
  bytes bigint not null default 0,
  -- Whether all of it has come.
  is_whole boolean not null default false,
  -- The last job that imported it.
  job_id uuid,
  imported_at timestamptz,
  has_rejected boolean not null default false,
  uploaded_by uuid,
  created_at timestamptz not null default now()
);
create index uploaded_file_created_at on uploaded_file (created_at);
create table uploaded_part (
  file_id uuid not null references uploaded_file on delete cascade,
  kind text not null check (kind in ('content', 'rejected')),
  number int not null,
  content bytea not null,
  primary key (file_id, kind, number)
);
alter table uploaded_part alter column content set storage external;

-- What was written to a debtor stands on their timeline. Of old messages the recipient is emptied, the row stays.
alter table message add column debtor_id uuid references debtor on delete cascade;
update message m set debtor_id = o.debtor_id from document o where o.id = m.document_id;
create index message_debtor on message (debtor_id) where debtor_id is not null;
