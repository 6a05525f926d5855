-- What collection may cost the debtor at most, from a day on until the next version of the same fee: shipped rows are
-- loaded at each start, edited ones stay. What was charged is a movement with its amount, and is not changed by these.
create table statutory_fee (
  id uuid primary key,
  country_code text not null,
  fee_type text not null,
  debtor_kind text not null check (debtor_kind in ('CONSUMER', 'BUSINESS', 'ALL')),
  currency_code text not null,
  -- Null for ever since.
  valid_from date,
  valid_to date,
  -- In the currency itself, as all amounts here.
  principal_above numeric(19, 4) check (principal_above >= 0),
  principal_up_to numeric(19, 4) check (principal_up_to > coalesce(principal_above, 0)),
  -- Null where it is not known, which is a fee all the same.
  amount numeric(19, 4) check (amount >= 0),
  second_amount numeric(19, 4) check (second_amount >= 0),
  -- Added for each started step of this size, as in Germany's scale.
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
-- Of a fee that an administrator keeps there is one version a day.
create unique index statutory_fee_made on statutory_fee (country_code, fee_type, debtor_kind, currency_code, valid_from,
  principal_above, principal_up_to, stage, creditor_deducts_vat) nulls not distinct where not shipped;
create index statutory_fee_country on statutory_fee (country_code, fee_type);

-- How often it was set, for its entity tag.
alter table reference_rate add column version int not null default 0;

-- Where an imported plan came from.
alter table payment_plan add column source_reference text;
create unique index payment_plan_source_reference on payment_plan (source_reference) where source_reference is not null;

-- What a claim is for, and whose law bars it: with what interrupted it they say until when it can be enforced.
alter table party add column claim_kind text check (claim_kind in ('GENERAL', 'CONSUMER', 'CONSUMER_CREDIT'));
alter table debt_case
  add column claim_kind text not null default 'GENERAL' check (claim_kind in ('GENERAL', 'CONSUMER', 'CONSUMER_CREDIT')),
  add column limitation_country text,
  add column interrupted_by text,
  add column interrupted_date date;
with recursive above as (
  select id as client_id, parent_id, country_code from party
  union all
  select a.client_id, p.parent_id, p.country_code from above a join party p on p.id = a.parent_id where a.country_code is null
)
update debt_case c set limitation_country = a.country_code from above a
where a.client_id = c.client_id and a.country_code is not null;
