-- Objections to a claim, complaints about its collection, and assessments of hardship. One table: each is received,
-- answered by a day, and decided.

create table objection (
  id uuid primary key,
  case_id uuid not null references debt_case,
  matter text not null check (matter in ('OBJECTION', 'COMPLAINT', 'HARDSHIP')),
  kind text not null,
  -- The disputed part in minor units. Null for the whole claim; always null for another matter.
  amount bigint check (amount > 0),
  reason text not null,
  evidence text,
  received_date date not null,
  received_by text,
  -- The day by which the debtor gets an answer.
  answer_by date,
  status text not null check (status in ('OPEN', 'ANSWERED', 'UPHELD', 'PARTLY', 'REJECTED', 'WITHDRAWN')),
  answer text,
  answered_date date,
  decision_reason text,
  decided_date date,
  credited bigint check (credited >= 0),
  measure text,
  -- When the debtor was referred to debt advice.
  referred_date date,
  created_by uuid references app_user on delete set null,
  decided_by uuid references app_user on delete set null,
  created_at timestamptz not null default now(),
  version int not null default 1,
  constraint objection_amount check (amount is null or matter = 'OBJECTION'),
  constraint objection_decided check ((decided_date is not null) = (status not in ('OPEN', 'ANSWERED')))
);
create index objection_case on objection (case_id, id);
create index objection_waiting on objection (answer_by, id) where status in ('OPEN', 'ANSWERED');
