-- Steps of the day-end that go on from where they were, strategies that are edited, and uploaded files.

-- A step is done chunk by chunk: its row holds the figures so far, and the place where the next chunk begins.
alter table day_end_step
  add column is_done boolean not null default true,
  add column place jsonb,
  -- The job that did its last chunk; null for steps of before this migration.
  add column job_id uuid;

-- A letter may go by e-mail, with the document attached, where the client has it so: null for as the party above.
alter table party add column letters_by_email boolean;
create function sends_letters_by_email(party_id uuid) returns boolean language sql stable as $$
  with recursive above as (
    select id, parent_id, letters_by_email, 0 as distance from party where id = party_id
    union all
    select p.id, p.parent_id, p.letters_by_email, a.distance + 1 from party p join above a on p.id = a.parent_id
  )
  select coalesce((select letters_by_email from above where letters_by_email is not null order by distance limit 1), false)
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
