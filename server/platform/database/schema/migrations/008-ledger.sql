-- Rates and statutory fees, payments, movements and the ledger. Amounts are in minor units unless a comment says
-- otherwise.

-- A rate applies from its date until the next row of the series. Shipped rows are loaded at each start; edited ones stay.
create table reference_rate (
  series text not null,
  valid_from date not null,
  rate numeric(9, 6) not null check (rate between -100 and 999),
  source text,
  unverified boolean not null default false,
  edited boolean not null default false,
  id uuid not null default gen_random_uuid(),
  -- How often it was set, for its entity tag.
  version int not null default 0,
  primary key (series, valid_from)
);
-- Lists page by a key of one column.
create unique index reference_rate_id on reference_rate (id);

-- Changes with every change of the rates, so that nodes know when to reload them.
create table reference_version (
  singleton boolean primary key default true check (singleton),
  version uuid not null
);
insert into reference_version (version) values (gen_random_uuid());

-- The most that collection may cost the debtor, from a date until the next version of the same fee. Shipped rows are
-- loaded at each start; edited ones stay. A fee that was charged is a movement with its amount and does not change.
create table statutory_fee (
  id uuid primary key,
  country_code text not null,
  fee_type text not null,
  debtor_kind text not null check (debtor_kind in ('CONSUMER', 'BUSINESS', 'ALL')),
  currency_code text not null,
  -- Null means without beginning.
  valid_from date,
  valid_to date,
  -- All amounts of this table are in major units.
  principal_above numeric(19, 4) check (principal_above >= 0),
  principal_up_to numeric(19, 4) check (principal_up_to > coalesce(principal_above, 0)),
  -- Null where the amount is not known; the fee exists all the same.
  amount numeric(19, 4) check (amount >= 0),
  second_amount numeric(19, 4) check (second_amount >= 0),
  -- Added per started step of this size, as in Germany's fee scale.
  per_started numeric(19, 4),
  stage text,
  creditor_deducts_vat boolean,
  condition text,
  source text,
  unverified boolean not null default false,
  shipped boolean not null default false,
  edited boolean not null default false,
  version int not null default 1,
  check (valid_to is null or valid_from is null or valid_to >= valid_from)
);
-- A fee that an administrator maintains has one version a day.
create unique index statutory_fee_made on statutory_fee (country_code, fee_type, debtor_kind, currency_code, valid_from,
  principal_above, principal_up_to, stage, creditor_deducts_vat) nulls not distinct where not shipped;
create index statutory_fee_country on statutory_fee (country_code, fee_type);

-- A payment as received. It may go to several cases; what is left over is the debtor's credit.
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
  -- The case it was meant for; null if it was for the debtor.
  case_id uuid references debt_case,
  reversed_date date,
  reversal_reason text,
  source_reference text,
  version int not null default 1,
  -- Whether the bank took the money back; null for payments that stand, and for reversals where nobody was asked.
  bounced boolean,
  check ((reversed_date is null) = (reversal_reason is null)),
  check (bounced is null or reversed_date is not null)
);
create unique index payment_payer_reference on payment (debtor_id, lower(payer_reference))
  where payer_reference is not null and reversed_date is null;
create unique index payment_source_reference on payment (source_reference) where source_reference is not null;
create index payment_case on payment (case_id);
create index payment_debtor on payment (debtor_id);

-- What happened to a case's money, in the order of booking. The ledger is derived from it (core/ledger/case-ledger.ts).
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
  -- The movement that a reversal undoes.
  reverses_id uuid unique references movement,
  -- In force when it was booked.
  allocation_order text not null,
  tolerance_minor bigint not null,
  -- Members of this kind only: a fee's type, the components of a write-off, new terms.
  details jsonb not null default '{}',
  unique (case_id, number),
  check ((kind = 'reversal') = (reverses_id is not null)),
  check ((kind in ('payment', 'thirdPartyPayment')) = (payment_id is not null)),
  check (kind not in ('claim', 'creditNote') or invoice_id is not null),
  check ((amount > 0) = (kind in ('payment', 'thirdPartyPayment', 'creditUse', 'refund', 'fee', 'writeOff', 'creditNote')))
);
create index movement_value_date on movement (value_date, case_id);
create index movement_payment on movement (payment_id) where payment_id is not null;

-- Double entry: a transaction's entries sum to zero (trigger ledger_transaction_balanced).
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
  -- Debit above zero, credit below.
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, line)
);

-- Each entry as the balance of the case that it changes (core/ledger/case-transaction.ts, addToBalances).
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
