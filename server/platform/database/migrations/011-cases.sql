-- Cases and their money: terms, rates, cases, debtors, invoices, movements, the ledger, payments, notes.

-- Terms of business. A party without a value has that of the party above it; the agency's are the installation's.
alter table party
  add column bank_account_no text,
  -- Percent a year; or a series of reference rates with percentage points on top.
  add column interest_rate numeric(9, 6),
  add column interest_series text,
  add column interest_points numeric(9, 6),
  -- Components in the order in which money goes to them.
  add column allocation_order text,
  -- What may remain when a case counts as paid, in the currency itself.
  add column tolerance numeric(12, 4),
  -- Fee type to amount in the currency itself, where it differs from the statutory one.
  add column fees jsonb,
  add column plan_first_due_days int,
  add column plan_interval_type int,
  add column plan_registration_fee numeric(12, 4),
  add column plan_invoice_fee numeric(12, 4),
  add column plan_reminder_fee numeric(12, 4),
  add column plan_grace_days int,
  add column plan_misses_to_breach int,
  add column services text[],
  add constraint party_interest check (interest_rate is null or interest_series is null),
  add constraint party_interest_rate check (interest_rate between 0 and 999),
  add constraint party_interest_points check ((interest_points is null) = (interest_series is null)),
  add constraint party_allocation_order check (allocation_order in ('COST_INTEREST_PRINCIPAL', 'COST_PRINCIPAL_INTEREST',
    'INTEREST_COST_PRINCIPAL', 'INTEREST_PRINCIPAL_COST', 'PRINCIPAL_COST_INTEREST', 'PRINCIPAL_INTEREST_COST')),
  add constraint party_tolerance check (tolerance >= 0),
  add constraint party_fees check (jsonb_typeof(fees) = 'object'),
  add constraint party_plan check (
    plan_first_due_days between 0 and 365 and plan_interval_type between 1 and 4 and plan_registration_fee >= 0
    and plan_invoice_fee >= 0 and plan_reminder_fee >= 0 and plan_grace_days between 0 and 365
    and plan_misses_to_breach between 1 and 100);

-- Setting the business date is an event of the installation's own.
alter table business_clock add column event_sequence bigint not null default 0;

-- From its day on, until the series' next row. Shipped rows are loaded at each start; edited ones stay.
create table reference_rate (
  series text not null,
  valid_from date not null,
  rate numeric(9, 6) not null check (rate between -100 and 999),
  source text,
  unverified boolean not null default false,
  edited boolean not null default false,
  primary key (series, valid_from)
);

-- Another one after every change of the rates, so that nodes know when to read them anew.
create table reference_version (
  singleton boolean primary key default true check (singleton),
  version uuid not null
);
insert into reference_version (version) values (gen_random_uuid());
create function renew_reference_version() returns trigger language plpgsql as $$
begin
  update reference_version set version = gen_random_uuid();
  return null;
end $$;
create trigger reference_rate_changed after insert or update or delete or truncate on reference_rate
  for each statement execute function renew_reference_version();

-- One row, taken last in a registration: the numbers have no gap, and are not waited for longer than a commit takes.
create table case_counter (
  singleton boolean primary key default true check (singleton),
  last_number bigint not null
);
insert into case_counter (last_number) values (100000);

create table debt_case (
  id uuid primary key,
  -- Without gaps; the case number is this with a check digit.
  running_number bigint not null unique,
  case_number text not null unique,
  client_id uuid not null references party,
  main_debtor_id uuid not null references debtor,
  currency_code text not null,
  -- Minor units to one of the currency: 1, 100, 1000 or 10000.
  minor_per_unit int not null check (minor_per_unit in (1, 100, 1000, 10000)),
  service text not null check (service in ('PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE')),
  -- As shown: the closure before the hold before the place (core/cases/case-life.ts).
  status text not null,
  sub_status text not null,
  -- Where the case stands, or stood when it was closed or put under a payment plan.
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
  -- What the ledger begins with (core/ledger/case-movement.ts): terms, and what was owed already besides the invoices.
  interest_rate numeric(9, 6) check (interest_rate between 0 and 999),
  interest_series text,
  interest_points numeric(9, 6),
  opening_interest bigint not null default 0 check (opening_interest >= 0),
  opening_fee bigint not null default 0 check (opening_fee >= 0),
  allocation_order text not null check (allocation_order in ('COST_INTEREST_PRINCIPAL', 'COST_PRINCIPAL_INTEREST',
    'INTEREST_COST_PRINCIPAL', 'INTEREST_PRINCIPAL_COST', 'PRINCIPAL_COST_INTEREST', 'PRINCIPAL_INTEREST_COST')),
  tolerance_minor bigint not null check (tolerance_minor >= 0),
  limitation_date date,
  -- Amounts in minor units: what the entries of a value date up to the business date sum to (trigger `apply_entries`).
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
  -- What was paid above what was owed, less what was used or paid back. A debtor's credit is the sum over the cases.
  credit bigint not null default 0,
  remaining_principal bigint generated always as (original_principal - paid_principal - written_off_principal) stored,
  remaining_interest bigint
    generated always as (original_interest + added_interest - paid_interest - written_off_interest) stored,
  remaining_fee bigint generated always as (original_fee + added_fee - paid_fee - written_off_fee) stored,
  -- Interest since the last posting, in 36,500,000,000ths of a minor unit (core/interest/interest.ts): `accrual_exact` at the end
  -- of `accrual_from`, `accrual_per_day` more for each day up to `accrual_until`, or without end where that is null.
  accrual_from date,
  accrual_exact numeric not null default 0,
  accrual_per_day numeric not null default 0,
  accrual_until date,
  -- Minor units, as of the business date.
  accrued_interest bigint not null default 0 check (accrued_interest >= 0),
  movement_count int not null default 0,
  transaction_count int not null default 0,
  source_reference text,
  -- The installation's own fields.
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 0,
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
-- None of these holds a column that the nightly accrual writes: its updates stay on their page.
create index debt_case_client on debt_case (client_id, id);
create index debt_case_main_debtor on debt_case (main_debtor_id);
create index debt_case_registration_date on debt_case (registration_date nulls first, id);
create index debt_case_limitation on debt_case (limitation_date) where status <> 'CLOSED';
create index debt_case_limitation_date on debt_case (limitation_date nulls first, id);
create index debt_case_status on debt_case (status, sub_status);
create index debt_case_number_order on debt_case (case_number collate fordra_order nulls first, id);
create unique index debt_case_source_reference on debt_case (source_reference) where source_reference is not null;
create index debt_case_client_reference on debt_case (client_reference_number) where client_reference_number is not null;

-- Who has what part in a case. The client is the case's own, here so that a restriction is one look at an index.
create table case_debtor (
  case_id uuid not null,
  debtor_id uuid not null references debtor,
  client_id uuid not null,
  debtor_role text not null check (debtor_role in
    ('MAIN_DEBTOR', 'CO_DEBTOR', 'GUARANTOR', 'ESTATE', 'GUARDIAN', 'REPRESENTATIVE', 'PAYER')),
  added_date date not null,
  -- The debtor's name, here so that a client's debtors are read in the order of their names off an index.
  full_name text not null,
  primary key (case_id, debtor_id),
  foreign key (case_id, client_id) references debt_case (id, client_id)
);
create index case_debtor_debtor on case_debtor (debtor_id, client_id, case_id);
create index case_debtor_client on case_debtor (client_id, debtor_id);
create index case_debtor_client_name on case_debtor (client_id, full_name collate fordra_order nulls first, debtor_id);
create unique index case_debtor_main on case_debtor (case_id) where debtor_role = 'MAIN_DEBTOR';
-- A case cannot lose, or be made without, its main debtor.
alter table debt_case add foreign key (id, main_debtor_id) references case_debtor (case_id, debtor_id)
  deferrable initially deferred;

-- The name is the debtor's at any time: whoever adds one waits for who renames it, and the other way round.
create function name_case_debtor() returns trigger language plpgsql as $$
begin
  select full_name into new.full_name from debtor where id = new.debtor_id for share;
  return new;
end $$;
create trigger case_debtor_named before insert on case_debtor for each row execute function name_case_debtor();

create function rename_case_debtor() returns trigger language plpgsql as $$
begin
  update case_debtor set full_name = new.full_name where debtor_id = new.id;
  return null;
end $$;
create trigger debtor_renamed after update on debtor
  for each row when (old.full_name is distinct from new.full_name) execute function rename_case_debtor();

-- What a restricted caller sees of the debtors depends on their cases: a remembered total of that list is void.
create function touch_debtor_list() returns trigger language plpgsql as $$
begin
  update list_total set changes = changes + 1 where entity = 'debtor' and slot = pg_backend_pid() % 32;
  return null;
end $$;
create trigger case_debtor_changed after insert or update or delete on case_debtor
  for each statement execute function touch_debtor_list();

create table invoice (
  id uuid primary key,
  case_id uuid not null references debt_case,
  -- Within the case, from 1 on.
  number int not null,
  invoice_number text,
  invoice_date date,
  due_date date,
  description text,
  -- Minor units.
  principal bigint not null check (principal > 0),
  -- Percent a year, or a reference rate with points; neither: the terms of the case.
  interest_rate numeric(9, 6) check (interest_rate between 0 and 999),
  interest_series text,
  interest_points numeric(9, 6),
  interest_from_date date,
  -- Registered with the case; else it came by a movement.
  opening boolean not null,
  source_reference text,
  check (interest_rate is null or interest_series is null),
  check ((interest_points is null) = (interest_series is null)),
  unique (case_id, number)
);
create unique index invoice_invoice_number on invoice (case_id, invoice_number) where invoice_number is not null;
create unique index invoice_source_reference on invoice (source_reference) where source_reference is not null;
create trigger invoice_append_only before update or delete or truncate on invoice
  for each statement execute function refuse_change();

-- A payment as it came in. It may go to several cases; what is left over is the debtor's.
create table payment (
  id uuid primary key,
  currency_code text not null,
  amount bigint not null check (amount > 0),
  value_date date not null,
  registered_date date not null,
  payer_reference text,
  to_third_party boolean not null default false,
  -- Whose debt was paid.
  debtor_id uuid not null references debtor,
  -- The case it was meant for; null where it was for the debtor.
  case_id uuid references debt_case,
  reversed_date date,
  reversal_reason text,
  source_reference text,
  version int not null default 1,
  check ((reversed_date is null) = (reversal_reason is null))
);
create unique index payment_payer_reference on payment (debtor_id, lower(payer_reference))
  where payer_reference is not null and reversed_date is null;
create unique index payment_source_reference on payment (source_reference) where source_reference is not null;
create index payment_case on payment (case_id);
create index payment_debtor on payment (debtor_id);
-- What was paid stays as it was; a reversal is marked once.
create function guard_payment() returns trigger language plpgsql as $$
begin
  if old.reversed_date is not null or (old.currency_code, old.amount, old.value_date, old.registered_date,
      old.to_third_party, old.debtor_id) is distinct from
      (new.currency_code, new.amount, new.value_date, new.registered_date, new.to_third_party, new.debtor_id)
      or old.payer_reference is distinct from new.payer_reference then
    raise exception 'a payment does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payment_unchanged before update on payment for each row execute function guard_payment();
create trigger payment_stays before delete or truncate on payment for each statement execute function refuse_change();

-- What happened to a case's money, in the order of booking. The ledger follows from these (core/ledger/case-ledger.ts).
create table movement (
  id uuid primary key,
  case_id uuid not null references debt_case,
  -- Within the case, from 1 on.
  number int not null,
  kind text not null check (kind in ('payment', 'thirdPartyPayment', 'creditUse', 'refund', 'fee', 'writeOff',
    'creditNote', 'claim', 'terms', 'close', 'reopen', 'reversal')),
  value_date date not null,
  booked_date date not null,
  amount bigint not null default 0 check (amount >= 0),
  invoice_id uuid references invoice,
  payment_id uuid references payment,
  -- Of a reversal: the movement that is undone.
  reverses_id uuid unique references movement,
  -- What was in force when it was booked.
  allocation_order text not null,
  tolerance_minor bigint not null,
  -- What only this kind has: a fee's type, the components of a write-off, new terms.
  details jsonb not null default '{}',
  unique (case_id, number),
  check ((kind = 'reversal') = (reverses_id is not null)),
  check ((kind in ('payment', 'thirdPartyPayment')) = (payment_id is not null)),
  check (kind not in ('claim', 'creditNote') or invoice_id is not null),
  check ((amount > 0) = (kind in ('payment', 'thirdPartyPayment', 'creditUse', 'refund', 'fee', 'writeOff', 'creditNote')))
);
create index movement_value_date on movement (value_date, case_id);
create index movement_payment on movement (payment_id) where payment_id is not null;
create trigger movement_append_only before update or delete or truncate on movement
  for each statement execute function refuse_change();

create table ledger_transaction (
  id uuid primary key,
  case_id uuid not null references debt_case,
  -- Within the case, from 1 on.
  number int not null,
  kind text not null,
  value_date date not null,
  booked_date date not null,
  -- Null for the registration and for interest.
  movement_id uuid references movement,
  -- Of a reversal: the transaction whose entries it undoes, of the same kind and value date.
  reverses_id uuid unique references ledger_transaction,
  unique (case_id, number)
);

create table ledger_entry (
  transaction_id uuid not null references ledger_transaction,
  -- Within the transaction, from 1 on.
  line int not null,
  account text not null check (account in ('receivable:principal', 'receivable:interest', 'receivable:cost',
    'claim:principal', 'claim:interest', 'claim:cost', 'income:interest', 'income:fee', 'bank', 'third-party', 'credit',
    'third-party-credit', 'write-off')),
  invoice_id uuid references invoice,
  -- Minor units; debit above zero, credit below.
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, line)
);

-- A transaction comes whole in one statement: with entries, all of them, and they sum to zero.
create function check_transactions() returns trigger language plpgsql as $$
begin
  if exists (
    select from new_rows n
    where coalesce((select sum(e.amount) from ledger_entry e where e.transaction_id = n.id), 1) <> 0
  ) then
    raise exception 'a transaction has no entries, or they do not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_transaction_balanced after insert on ledger_transaction referencing new table as new_rows
  for each statement execute function check_transactions();

-- Each entry under the amount of the case that it changes.
create view ledger_line as
  select t.case_id, t.value_date, e.transaction_id,
    case when e.account = 'claim:principal' and t.kind <> 'creditNote' then -e.amount else 0 end as original_principal,
    case when e.account = 'claim:interest' then -e.amount else 0 end as original_interest,
    case when e.account = 'claim:cost' then -e.amount else 0 end as original_fee,
    case when e.account = 'income:interest' then -e.amount else 0 end as added_interest,
    case when e.account = 'income:fee' then -e.amount else 0 end as added_fee,
    case when e.account = 'receivable:principal' and paying then -e.amount else 0 end as paid_principal,
    case when e.account = 'receivable:interest' and paying then -e.amount else 0 end as paid_interest,
    case when e.account = 'receivable:cost' and paying then -e.amount else 0 end as paid_fee,
    case when e.account like 'receivable:%' and t.kind = 'thirdPartyPayment' then -e.amount else 0 end as paid_to_third_party,
    case when e.account = 'receivable:principal' and forgiving then -e.amount else 0 end as written_off_principal,
    case when e.account = 'receivable:interest' and forgiving then -e.amount else 0 end as written_off_interest,
    case when e.account = 'receivable:cost' and forgiving then -e.amount else 0 end as written_off_fee,
    case when e.account = 'credit' then -e.amount else 0 end as credit
  from ledger_entry e join ledger_transaction t on t.id = e.transaction_id,
    lateral (select t.kind in ('payment', 'thirdPartyPayment', 'creditUse') as paying,
      t.kind in ('writeOff', 'creditNote') as forgiving) k;

-- What transactions change on their cases (core/ledger/case-transaction.ts, addToBalances).
create function case_sums(transaction_ids uuid[]) returns table (case_id uuid, original_principal bigint,
  original_interest bigint, original_fee bigint, added_interest bigint, added_fee bigint, paid_principal bigint,
  paid_interest bigint, paid_fee bigint, paid_to_third_party bigint, written_off_principal bigint,
  written_off_interest bigint, written_off_fee bigint, credit bigint) language sql stable as $$
  select l.case_id, sum(l.original_principal), sum(l.original_interest), sum(l.original_fee), sum(l.added_interest),
    sum(l.added_fee), sum(l.paid_principal), sum(l.paid_interest), sum(l.paid_fee), sum(l.paid_to_third_party),
    sum(l.written_off_principal), sum(l.written_off_interest), sum(l.written_off_fee), sum(l.credit)
  from ledger_line l where l.transaction_id = any(transaction_ids) group by l.case_id
$$;

-- Kept balances: each entry counts on its case from its value date on.
create function apply_entries() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if exists (
    select from (select transaction_id, sum(amount) as amount, count(*) as lines from new_rows group by 1) n
    where n.amount <> 0
      or n.lines <> (select count(*) from ledger_entry e where e.transaction_id = n.transaction_id)
  ) then
    raise exception 'the entries of a transaction come together and sum to zero' using errcode = 'check_violation';
  end if;
  update debt_case c set
    original_principal = c.original_principal + n.original_principal,
    original_interest = c.original_interest + n.original_interest,
    original_fee = c.original_fee + n.original_fee,
    added_interest = c.added_interest + n.added_interest,
    added_fee = c.added_fee + n.added_fee,
    paid_principal = c.paid_principal + n.paid_principal,
    paid_interest = c.paid_interest + n.paid_interest,
    paid_fee = c.paid_fee + n.paid_fee,
    paid_to_third_party = c.paid_to_third_party + n.paid_to_third_party,
    written_off_principal = c.written_off_principal + n.written_off_principal,
    written_off_interest = c.written_off_interest + n.written_off_interest,
    written_off_fee = c.written_off_fee + n.written_off_fee,
    credit = c.credit + n.credit
  from case_sums(array(
    select distinct t.id from new_rows e join ledger_transaction t on t.id = e.transaction_id
    where t.value_date <= (select business_date from business_clock)
  )) n
  where c.id = n.case_id;
  return null;
end $$;
create trigger ledger_entry_applied after insert on ledger_entry referencing new table as new_rows
  for each statement execute function apply_entries();
create trigger ledger_transaction_append_only before update or delete or truncate on ledger_transaction
  for each statement execute function refuse_change();
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();

-- What interrupted the time after which a claim can no longer be enforced.
create table limitation_interruption (
  id uuid primary key,
  case_id uuid not null references debt_case,
  interrupted_date date not null,
  kind text not null
);
create index limitation_interruption_case on limitation_interruption (case_id, interrupted_date);
