-- Calls with debtors, and what was promised in them. Whether a promise is kept is derived from the payments on its case.

create table phone_call (
  id uuid primary key,
  case_id uuid not null references debt_case (id),
  debtor_id uuid not null references debtor (id),
  inbound boolean not null,
  outcome text not null check (outcome in ('REACHED', 'CALL_BACK', 'REFUSED', 'NO_ANSWER', 'VOICEMAIL', 'WRONG_NUMBER')),
  right_party boolean not null,
  text text,
  shown_to_client boolean not null,
  promised_amount bigint check (promised_amount > 0),
  promised_date date,
  -- Payments booked before the promise do not keep it.
  movements_before integer not null,
  business_date date not null,
  created_at timestamptz not null default now(),
  created_by uuid references app_user (id) on delete set null,
  check ((promised_amount is null) = (promised_date is null)),
  check (promised_date is null or right_party)
);
create index phone_call_case on phone_call (case_id, id);
create index phone_call_debtor on phone_call (debtor_id, id);
create index phone_call_promised on phone_call (promised_date) where promised_date is not null;
create index phone_call_created_by on phone_call (created_by) where created_by is not null;
