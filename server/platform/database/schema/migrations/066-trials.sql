-- Trials of strategies: a champion and its challengers, to which debtors are assigned at random (decision 0281).
create table trial (
  id uuid primary key,
  name text not null,
  -- With the clients below it. Null for every client that has the champion.
  client_id uuid references party (id),
  champion_id uuid not null references strategy (id),
  outcome_days integer not null check (outcome_days between 1 and 730),
  -- In minor units: the collected amount counts up to it.
  highest_amount bigint not null check (highest_amount > 0),
  currency_code text not null,
  planned_cases integer not null check (planned_cases between 1 and 1000000),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'RUNNING', 'STOPPED')),
  -- Random. With it an arm could be foreseen, so nobody sees it before the trial is stopped.
  seed uuid not null default gen_random_uuid(),
  started_date date,
  stopped_date date,
  version integer not null default 1,
  event_sequence bigint not null default 0,
  check ((status = 'DRAFT') = (started_date is null)),
  check ((status = 'STOPPED') = (stopped_date is not null))
);

create table trial_arm (
  trial_id uuid not null references trial (id) on delete cascade,
  -- 0 is the champion.
  number integer not null check (number between 0 and 3),
  strategy_id uuid not null references strategy (id),
  share integer not null check (share between 1 and 99),
  primary key (trial_id, number),
  unique (trial_id, strategy_id)
);

-- A debtor's arm. Its first case counts, with what outcomes are measured by.
create table trial_debtor (
  trial_id uuid not null references trial (id),
  debtor_id uuid not null references debtor (id),
  arm integer not null,
  case_id uuid not null unique references debt_case (id),
  assigned_date date not null,
  claim bigint not null check (claim > 0),
  tolerance bigint not null check (tolerance >= 0),
  primary key (trial_id, debtor_id),
  foreign key (trial_id, arm) references trial_arm (trial_id, number)
);

-- Every case that follows its debtor's arm.
create table trial_case (
  case_id uuid primary key references debt_case (id),
  trial_id uuid not null,
  debtor_id uuid not null,
  foreign key (trial_id, debtor_id) references trial_debtor (trial_id, debtor_id)
);
create index trial_case_debtor on trial_case (trial_id, debtor_id);
