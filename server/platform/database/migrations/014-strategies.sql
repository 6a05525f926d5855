-- Letters that are kept, and the steps of collection.

-- A letter. Its data is what it says, as of its date; the PDF is made of it when it is first asked for, and then kept.
create table document (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  -- Null for one about all that a debtor owes.
  case_id uuid references debt_case,
  -- Whose cases it tells of.
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
-- Once made, what a letter says does not change.
create function guard_document() returns trigger language plpgsql as $$
begin
  if old.content is not null or (to_jsonb(old) - 'content') <> (to_jsonb(new) - 'content') then
    raise exception 'a document does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger document_unchanged before update on document for each row execute function guard_document();

-- A letter to be printed and posted waits in the outbox like other messages, and is its document.
alter table message
  drop constraint message_channel_check,
  add constraint message_channel_check check (channel in ('email', 'sms', 'letter')),
  add column document_id uuid references document,
  add constraint message_document check ((channel = 'letter') = (document_id is not null));
create index message_document on message (document_id) where document_id is not null;

-- The business date since which a case stands where it does, open and not held: null for since its registration. The
-- nightly accrual touches none of these columns, and the column has no index.
alter table debt_case add column status_since date;
create function note_status_since() returns trigger language plpgsql as $$
begin
  if (old.place_status, old.place_sub_status) is distinct from (new.place_status, new.place_sub_status)
      or (old.hold is not null and new.hold is null) or (old.closure_code is not null and new.closure_code is null) then
    new.status_since := (select business_date from business_clock);
  end if;
  return new;
end $$;
create trigger debt_case_status_since before update of place_status, place_sub_status, hold, closure_code on debt_case
  for each row execute function note_status_since();
update debt_case c set status_since = a.since
from (
  select subject, max(business_date) as since from audit_entry
  where entity = 'case' and changes ?| array['status', 'subStatus'] and action <> 'registered' group by subject
) a
where a.subject = c.id;

-- Collection steps as data. A party without a strategy has that of the party above it.
create table strategy (
  id uuid primary key,
  code text not null unique,
  name text not null,
  -- Law and practice that it follows.
  source text,
  -- Where not looked up in the statute itself.
  unverified boolean not null default false,
  created_at timestamptz not null default now()
);
create table strategy_step (
  id uuid primary key,
  strategy_id uuid not null references strategy on delete cascade,
  -- Of several that are due the one with the lowest number comes first.
  number int not null,
  code text not null,
  status text not null,
  sub_status text,
  service text check (service in ('PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE')),
  -- So many days after `status_since`.
  after_days int not null check (after_days between 0 and 36500),
  -- Of the client, as for statutory fees.
  countries text[],
  currencies text[],
  -- What remains, in the currency itself: at least, and less than.
  amount_from numeric,
  amount_below numeric,
  -- Whether the case is under a payment plan; null for either.
  on_plan boolean,
  -- What is done, in this order, all or nothing (core/cases/strategies.ts).
  actions jsonb not null check (jsonb_typeof(actions) = 'array' and jsonb_array_length(actions) between 1 and 10),
  source text,
  unique (strategy_id, number),
  unique (strategy_id, code)
);
alter table party add column strategy_id uuid references strategy;

-- The steps of a case: each is taken once. A refused one is tried again on a later business date.
create table strategy_step_taken (
  case_id uuid not null references debt_case,
  step_id uuid not null references strategy_step,
  business_date date not null,
  refused text,
  taken_at timestamptz not null default now(),
  primary key (case_id, step_id)
);
