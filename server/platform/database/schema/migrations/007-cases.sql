-- Cases, their debtors, invoices and limitation. Their money is in 008-ledger.sql.

-- One row, locked last in a registration: case numbers have no gaps, and the lock is held only for a commit.
create table case_counter (
  singleton boolean primary key default true check (singleton),
  last_number bigint not null
);
insert into case_counter (last_number) values (100000);

-- Amounts are in minor units unless a comment says otherwise.
create table debt_case (
  id uuid primary key,
  -- Without gaps; the case number is this number with a check digit.
  running_number bigint not null unique,
  case_number text not null unique,
  client_id uuid not null references party,
  main_debtor_id uuid not null references debtor,
  currency_code text not null,
  -- Minor units per major unit of the currency.
  minor_per_unit int not null check (minor_per_unit in (1, 100, 1000, 10000)),
  service text not null check (service in ('PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE')),
  -- As shown: the closure takes precedence over the hold, the hold over the place (core/cases/case-lifecycle.ts).
  status text not null,
  sub_status text not null,
  -- The stage the case is in, or was in when it was closed or put under a payment plan.
  place_status text not null,
  place_sub_status text not null,
  hold text check (hold in ('HOLD_DISPUTE', 'HOLD_COMPLAINT', 'HOLD_HARDSHIP', 'HOLD_BANKRUPTCY', 'HOLD_DEBT_RELIEF',
    'HOLD_DECEASED', 'HOLD_REPRESENTED', 'HOLD_FRAUD', 'HOLD_CLIENT')),
  before_plan_status text,
  before_plan_sub_status text,
  closure_code text check (closure_code in ('PAID_IN_FULL', 'PAID_TO_CLIENT', 'SMALL_BALANCE', 'SETTLED', 'CREDITED',
    'RECALLED_BY_CLIENT', 'CLIENT_UNRESPONSIVE', 'DISPUTE_UPHELD', 'INVALID_DATA', 'DUPLICATE', 'FRAUD', 'MINOR', 'DECEASED',
    'INSOLVENT', 'DEBT_RELIEF', 'UNTRACEABLE', 'ABROAD', 'TIME_BARRED', 'UNECONOMICAL', 'WRITTEN_OFF', 'SOLD', 'MERGED',
    'OTHER')),
  closure_date date,
  registration_date date not null,
  client_reference_number text,
  payment_reference_number text not null unique,
  description text,
  -- What the ledger starts from (core/ledger/case-movement.ts): terms, and what was owed besides the invoices.
  interest_rate numeric(9, 6) check (interest_rate between 0 and 999),
  interest_series text,
  interest_points numeric(9, 6),
  opening_interest bigint not null default 0 check (opening_interest >= 0),
  opening_fee bigint not null default 0 check (opening_fee >= 0),
  allocation_order text not null check (allocation_order in ('COST_INTEREST_PRINCIPAL', 'COST_PRINCIPAL_INTEREST',
    'INTEREST_COST_PRINCIPAL', 'INTEREST_PRINCIPAL_COST', 'PRINCIPAL_COST_INTEREST', 'PRINCIPAL_INTEREST_COST')),
  tolerance_minor bigint not null check (tolerance_minor >= 0),
  limitation_date date,
  -- Balances: the sums of the ledger entries with a value date up to the business date. Bookings write them; the trigger
  -- ledger_entry_applied checks them.
  original_principal bigint not null default 0,
  original_interest bigint not null default 0,
  original_fee bigint not null default 0,
  added_interest bigint not null default 0,
  added_fee bigint not null default 0,
  paid_principal bigint not null default 0,
  paid_interest bigint not null default 0,
  paid_fee bigint not null default 0,
  paid_to_third_party bigint not null default 0,
  written_off_principal bigint not null default 0,
  written_off_interest bigint not null default 0,
  written_off_fee bigint not null default 0,
  -- Overpayment, less what was used or refunded. A debtor's credit is the sum over the cases.
  credit bigint not null default 0,
  remaining_principal bigint generated always as (original_principal - paid_principal - written_off_principal) stored,
  remaining_interest bigint
    generated always as (original_interest + added_interest - paid_interest - written_off_interest) stored,
  remaining_fee bigint generated always as (original_fee + added_fee - paid_fee - written_off_fee) stored,
  -- Interest since the last posting, in 36,500,000,000ths of a minor unit (core/interest/interest.ts): `accrual_exact` at
  -- the end of `accrual_from`, `accrual_per_day` more for each day up to `accrual_until`; null means without end.
  accrual_from date,
  accrual_exact numeric not null default 0,
  accrual_per_day numeric not null default 0,
  accrual_until date,
  -- As of the business date.
  accrued_interest bigint not null default 0 check (accrued_interest >= 0),
  movement_count int not null default 0,
  transaction_count int not null default 0,
  source_reference text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 0,
  -- The business date since which the case is in its place, open and not held; null since the registration. Nightly
  -- accrual updates none of the columns that set it, and it has no index.
  status_since date,
  -- With `limitation_country` and the last interruption: until when the claim can be enforced.
  claim_kind text not null default 'GENERAL' check (claim_kind in ('GENERAL', 'CONSUMER', 'CONSUMER_CREDIT')),
  limitation_country text,
  interrupted_by text,
  interrupted_date date,
  constraint debt_case_place check (place_status || ' ' || place_sub_status in (
    'NEW REGISTERED', 'NEW VALIDATING', 'NEW AWAITING_CLIENT', 'PRECOLLECTION REMINDER_SENT',
    'AMICABLE DEMAND_SENT', 'AMICABLE DEMAND_EXPIRED', 'AMICABLE CONTACT', 'AMICABLE PROMISE',
    'AMICABLE PAYMENT_PLAN', 'AMICABLE SETTLEMENT_OFFER', 'LEGAL PAYMENT_ORDER_APPLIED', 'LEGAL SERVED',
    'LEGAL CONTESTED', 'LEGAL COURT', 'LEGAL TITLE_OBTAINED', 'ENFORCEMENT APPLIED',
    'ENFORCEMENT ATTACHMENT', 'ENFORCEMENT NO_ASSETS', 'SURVEILLANCE DORMANT', 'SURVEILLANCE REACTIVATION_CHECK',
    'SURVEILLANCE PAYMENT_PLAN')),
  constraint debt_case_shown check (case when closure_code is null
    then status = place_status and sub_status = coalesce(hold, place_sub_status)
    else status = 'CLOSED' and sub_status in ('PAID', 'SETTLED', 'RECALLED', 'WRITTEN_OFF', 'INVALID') end),
  check ((closure_date is null) = (closure_code is null)),
  check (interest_rate is null or interest_series is null),
  check ((interest_points is null) = (interest_series is null)),
  check ((before_plan_status is null) = (before_plan_sub_status is null)),
  check (original_principal >= 0 and original_interest >= 0 and original_fee >= 0),
  check (remaining_principal >= 0 and remaining_interest >= 0 and remaining_fee >= 0),
  check (paid_principal >= 0 and paid_interest >= 0 and paid_fee >= 0),
  check (paid_to_third_party between 0 and paid_principal + paid_interest + paid_fee),
  check (accrual_from <= accrual_until),
  unique (id, client_id)
) with (fillfactor = 50);
-- No index holds a column that nightly accrual writes, so its updates stay on their page (HOT).
create index debt_case_client on debt_case (client_id, id);
create index debt_case_main_debtor on debt_case (main_debtor_id);
create index debt_case_registration_date on debt_case (registration_date nulls first, id);
create index debt_case_limitation on debt_case (limitation_date) where status <> 'CLOSED';
create index debt_case_limitation_date on debt_case (limitation_date nulls first, id);
create index debt_case_status on debt_case (status, sub_status);
create index debt_case_number_order on debt_case (case_number collate fordra_order nulls first, id);
create unique index debt_case_source_reference on debt_case (source_reference) where source_reference is not null;
create index debt_case_client_reference on debt_case (client_reference_number) where client_reference_number is not null;

-- The debtors of a case and their roles. `client_id` and `full_name` are copies, so that a restriction by client is one
-- index lookup and a client's debtors are read in name order from an index.
create table case_debtor (
  case_id uuid not null,
  debtor_id uuid not null references debtor,
  client_id uuid not null,
  debtor_role text not null check (debtor_role in
    ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE', 'GUARDIAN', 'REPRESENTATIVE', 'PAYER')),
  added_date date not null,
  full_name text not null,
  primary key (case_id, debtor_id),
  foreign key (case_id, client_id) references debt_case (id, client_id)
);
create index case_debtor_debtor on case_debtor (debtor_id, client_id, case_id);
create index case_debtor_client on case_debtor (client_id, debtor_id);
create index case_debtor_client_name on case_debtor (client_id, full_name collate fordra_order nulls first, debtor_id);
create unique index case_debtor_main on case_debtor (case_id) where debtor_role = 'MAIN_DEBTOR';
-- A case cannot be created without a main debtor, nor lose it.
alter table debt_case add foreign key (id, main_debtor_id) references case_debtor (case_id, debtor_id)
  deferrable initially deferred;

create table invoice (
  id uuid primary key,
  case_id uuid not null references debt_case,
  -- Within the case, from 1 on.
  number int not null,
  invoice_number text,
  invoice_date date,
  due_date date,
  description text,
  principal bigint not null check (principal > 0),
  -- Percent a year, or a reference rate with points; null means the terms of the case.
  interest_rate numeric(9, 6) check (interest_rate between 0 and 999),
  interest_series text,
  interest_points numeric(9, 6),
  interest_from_date date,
  -- True if registered with the case; false if added by a movement.
  opening boolean not null,
  source_reference text,
  check (interest_rate is null or interest_series is null),
  check ((interest_points is null) = (interest_series is null)),
  unique (case_id, number)
);
create unique index invoice_invoice_number on invoice (case_id, invoice_number) where invoice_number is not null;
create unique index invoice_source_reference on invoice (source_reference) where source_reference is not null;

-- Interruptions of the limitation period.
create table limitation_interruption (
  id uuid primary key,
  case_id uuid not null references debt_case,
  interrupted_date date not null,
  kind text not null
);
create index limitation_interruption_case on limitation_interruption (case_id, interrupted_date);
