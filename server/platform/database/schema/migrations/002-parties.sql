-- The agency and its clients.

-- The agency is the root; its clients are below it. A term of business that is null is inherited from the party above,
-- at the top from the installation's settings.
create table party (
  id uuid primary key,
  reference_code text not null,
  name text not null,
  parent_id uuid references party,
  created_at timestamptz not null default now(),
  -- Identifies an imported party from run to run: the source and its own reference.
  source_reference text,
  country_code text,
  currency_code text,
  -- Values of custom fields by field code.
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1,
  bank_account_no text,
  -- Percent a year; or a reference rate series with percentage points on top.
  interest_rate numeric(9, 6),
  interest_series text,
  interest_points numeric(9, 6),
  -- The order in which money is allocated to components.
  allocation_order text,
  -- What may remain outstanding when a case counts as paid, in major units.
  tolerance numeric(12, 4),
  -- Fee type to amount in major units, where it differs from the statutory fee.
  fees jsonb,
  plan_first_due_days int,
  plan_interval_type int,
  plan_registration_fee numeric(12, 4),
  plan_invoice_fee numeric(12, 4),
  plan_reminder_fee numeric(12, 4),
  plan_grace_days int,
  plan_misses_to_breach int,
  services text[],
  -- Months without an instalment in debt relief, 1 to 12.
  plan_free_months int[],
  -- Its foreign key is in 011-collection.sql.
  strategy_id uuid,
  -- Decides which limitation rules apply.
  claim_kind text check (claim_kind in ('GENERAL', 'CONSUMER', 'CONSUMER_CREDIT')),
  letters_by_email boolean,
  constraint party_interest check (interest_rate is null or interest_series is null),
  constraint party_interest_rate check (interest_rate between 0 and 999),
  constraint party_interest_points check ((interest_points is null) = (interest_series is null)),
  constraint party_allocation_order check (allocation_order in ('COST_INTEREST_PRINCIPAL', 'COST_PRINCIPAL_INTEREST',
    'INTEREST_COST_PRINCIPAL', 'INTEREST_PRINCIPAL_COST', 'PRINCIPAL_COST_INTEREST', 'PRINCIPAL_INTEREST_COST')),
  constraint party_tolerance check (tolerance >= 0),
  constraint party_fees check (jsonb_typeof(fees) = 'object'),
  constraint party_plan check (
    plan_first_due_days between 0 and 365 and plan_interval_type between 1 and 4 and plan_registration_fee >= 0
    and plan_invoice_fee >= 0 and plan_reminder_fee >= 0 and plan_grace_days between 0 and 365
    and plan_misses_to_breach between 1 and 100),
  constraint party_free_months check (plan_free_months <@ array[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    and cardinality(plan_free_months) <= 11)
);
create unique index party_reference_code on party (lower(reference_code));
create index party_parent on party (parent_id);
create unique index party_source_reference on party (source_reference);
