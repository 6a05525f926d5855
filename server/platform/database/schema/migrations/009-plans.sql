-- Payment plans: terms, schedule, cases, and how far each is paid. Amounts are in minor units.

create table payment_plan (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  -- 0 ended, 1 active, 2 proposal.
  active int not null check (active in (0, 1, 2)),
  end_reason text check (end_reason in ('COMPLETED', 'BREACHED', 'CANCELLED')),
  end_date date,
  plan_type int not null check (plan_type between 1 and 5),
  registration_date date not null,
  -- The debt is calculated as of this date: the proposal's, then the activation's.
  start_date date not null,
  currency_code text not null,
  -- Minor units per major unit of the currency.
  minor_per_unit int not null check (minor_per_unit in (1, 100, 1000, 10000)),
  -- Input of the calculation.
  asked_number int check (asked_number between 1 and 600),
  asked_amount bigint check (asked_amount > 0),
  registration_fee bigint not null check (registration_fee >= 0),
  invoice_fee bigint not null check (invoice_fee >= 0),
  reminder_fee bigint not null check (reminder_fee >= 0),
  first_due_days int not null check (first_due_days >= 0),
  interval_type int not null check (interval_type between 1 and 4),
  interval_count int not null check (interval_count > 0),
  free_months int[] not null,
  grace_days int not null check (grace_days >= 0),
  misses_to_breach int not null check (misses_to_breach > 0),
  -- Instalments that deviate: number, date, amount.
  deviations jsonb not null check (jsonb_typeof(deviations) = 'array'),
  -- Output of the calculation.
  number_of_payments int not null check (number_of_payments between 1 and 600),
  level_amount bigint not null check (level_amount > 0),
  payment_type int not null check (payment_type between 1 and 3),
  claim bigint not null check (claim > 0),
  left_amount bigint not null check (left_amount >= 0),
  annual_percentage float8,
  periods jsonb not null check (jsonb_typeof(periods) = 'array'),
  -- How far it is paid and invoiced.
  remaining_number int not null check (remaining_number between 0 and 600),
  invoiced_through int not null default 0 check (invoiced_through >= 0),
  -- The next date on which the plan must be checked even without a payment; null if there is none.
  next_check date,
  version int not null default 1,
  event_sequence bigint not null default 0,
  source_reference text,
  check ((active = 0) = (end_reason is not null)),
  check ((active = 0) = (end_date is not null))
);
create index payment_plan_debtor on payment_plan (debtor_id, id);
create index payment_plan_check on payment_plan (next_check, id) where active = 1;
create unique index payment_plan_source_reference on payment_plan (source_reference) where source_reference is not null;

create table payment_plan_payment (
  plan_id uuid not null references payment_plan on delete cascade,
  payment_no int not null check (payment_no between 1 and 600),
  invoice_date date not null,
  due_date date not null,
  instalment bigint not null check (instalment >= 0),
  interest bigint not null check (interest >= 0),
  fee bigint not null check (fee >= 0),
  amount bigint not null,
  payment_type int not null check (payment_type between 1 and 3),
  paid bigint not null default 0,
  paid_date date,
  missed_date date,
  primary key (plan_id, payment_no),
  check (amount = instalment + interest + fee),
  check (paid between 0 and amount)
);

-- A plan's cases, the oldest first. `client_id` is a copy, so that a restriction by client is one index lookup.
create table payment_plan_case (
  plan_id uuid not null references payment_plan,
  case_id uuid not null,
  client_id uuid not null,
  number int not null,
  -- Under the plan now.
  active boolean not null default false,
  -- The debt of the case at the start: debt relief is shared in this proportion.
  claim bigint not null check (claim >= 0),
  -- The case's movements after the first number, up to the second, pay the plan.
  movements_before int,
  movements_through int,
  primary key (plan_id, case_id),
  unique (plan_id, number),
  check (not active or movements_before is not null),
  foreign key (case_id, client_id) references debt_case (id, client_id)
);
create unique index payment_plan_case_active on payment_plan_case (case_id) where active;
create index payment_plan_case_case on payment_plan_case (case_id);
create index payment_plan_case_client on payment_plan_case (client_id, plan_id);
