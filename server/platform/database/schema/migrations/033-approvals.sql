-- What needs a second person, and what waits for one.

-- Above the amount a user of the role needs a second person for the act. With a limit in one currency, every amount in
-- another needs one. A limit on changes of a client's account has no amount.
create table approval_limit (
  id uuid primary key,
  act text not null check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'CLIENT_ACCOUNT', 'PAYOUT')),
  user_role int not null check (user_role between 1 and 14),
  -- Without one, nothing is done alone.
  currency_code text check (currency_code is null or act <> 'CLIENT_ACCOUNT'),
  amount bigint not null default 0 check (amount >= 0),
  minor_per_unit int not null default 1 check (minor_per_unit > 0),
  check (currency_code is not null or amount = 0),
  version int not null default 1,
  event_sequence bigint not null default 1,
  constraint approval_limit_key unique nulls not distinct (act, user_role, currency_code)
);

-- `request` has the parameters and the body of the operation as they were requested.
create table approval (
  id uuid primary key,
  act text not null check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'CLIENT_ACCOUNT', 'PAYOUT')),
  status text not null default 'WAITING' check (status in ('WAITING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  case_id uuid references debt_case,
  client_id uuid references party on delete cascade,
  currency_code text,
  amount bigint check (amount >= 0),
  minor_per_unit int not null default 1 check (minor_per_unit > 0),
  check ((currency_code is null) = (amount is null)),
  request jsonb not null,
  reason text,
  requested_by uuid not null,
  requested_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  decision_text text,
  event_sequence bigint not null default 1,
  check ((status = 'WAITING') = (decided_by is null)),
  check (status <> 'APPROVED' or decided_by <> requested_by)
);
create index approval_waiting on approval (requested_at) where status = 'WAITING';
create index approval_case on approval (case_id) where case_id is not null;
create index approval_client on approval (client_id) where client_id is not null;
