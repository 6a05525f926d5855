-- Collection strategies, letters, and the outbox of messages.

-- A collection strategy: steps as data. An edited strategy gets a new version; the steps of every version are kept for
-- the cases that follow them.
create table strategy (
  id uuid primary key,
  code text not null unique,
  name text not null,
  -- The law and practice that it follows.
  source text,
  -- True if not verified against the statute itself.
  unverified boolean not null default false,
  created_at timestamptz not null default now(),
  version int not null default 1,
  -- Cases that follow an older version follow this one instead.
  running_from int not null default 1,
  event_sequence bigint not null default 0
);
-- A party without a strategy inherits that of the party above it.
alter table party add foreign key (strategy_id) references strategy;

create table strategy_step (
  id uuid primary key,
  strategy_id uuid not null references strategy on delete cascade,
  -- Of several steps that are due, the one with the lowest number comes first.
  number int not null,
  code text not null,
  status text not null,
  sub_status text,
  service text check (service in ('PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE')),
  -- Days after the case's `status_since`.
  after_days int not null check (after_days between 0 and 36500),
  -- The client's country, as for statutory fees.
  countries text[],
  currencies text[],
  -- The outstanding amount in major units: at least, and less than.
  amount_from numeric,
  amount_below numeric,
  -- Whether the case is under a payment plan; null for either.
  on_plan boolean,
  -- Taken in this order, all or nothing (core/cases/strategies.ts).
  actions jsonb not null check (jsonb_typeof(actions) = 'array' and jsonb_array_length(actions) between 1 and 10),
  source text,
  version int not null default 1,
  unique (strategy_id, version, number),
  unique (strategy_id, version, code)
);

-- A case takes each step once. A refused step is retried on a later business date.
create table strategy_step_taken (
  case_id uuid not null references debt_case,
  step_id uuid not null references strategy_step,
  business_date date not null,
  refused text,
  taken_at timestamptz not null default now(),
  primary key (case_id, step_id)
);

-- A letter. `data` is its content as of its date. The PDF is created on first request, then kept in `content`.
create table document (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  -- Null for a letter about all that a debtor owes.
  case_id uuid references debt_case,
  -- The clients whose cases it mentions.
  client_ids uuid[] not null,
  kind text not null check (kind in ('statement', 'reminder', 'demand', 'legal', 'surveillance')),
  language text not null,
  title text not null,
  business_date date not null,
  data jsonb not null,
  content bytea,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index document_debtor on document (debtor_id, id);
create index document_case on document (case_id) where case_id is not null;
alter table document alter column data set statistics 0;

-- Whether a party's letters go by e-mail with the document attached: its own setting, else that of the party above.
-- Never in Norway, whose law requires notices on paper (inkassoloven §§ 9 and 10, as quoted by jusinfo.no).
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

-- The outbox of e-mails, text messages and printed letters. A body may hold a one-time code: it is emptied when the
-- message is sent or has expired. Of old messages the recipient is emptied too; the row stays for the timeline.
create table message (
  id uuid primary key,
  kind text not null,
  channel text not null check (channel in ('email', 'sms', 'letter')),
  recipient text not null,
  language text not null,
  subject text not null,
  body text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  next_try_at timestamptz not null default now(),
  attempts int not null default 0,
  sent_at timestamptz,
  last_error text,
  -- The printed letter, or the e-mail's attachment.
  document_id uuid references document,
  -- The debtor on whose timeline it is shown.
  debtor_id uuid references debtor on delete cascade,
  constraint message_document check (
    case channel when 'letter' then document_id is not null when 'email' then true else document_id is null end)
);
create index message_created_at on message (created_at);
create index message_document on message (document_id) where document_id is not null;
create index message_debtor on message (debtor_id) where debtor_id is not null;
-- /metrics counts unsent messages from this index alone.
create index message_unsent on message (channel, expires_at) include (created_at) where sent_at is null;
-- By channel first, so that letters that wait for printing do not slow the search for due e-mails, done every second.
create index message_due on message (channel, next_try_at) where sent_at is null;
alter table message alter column body set statistics 0;
