-- Claims of one creditor on one debtor that are demanded together: one letter, one fee, one payment reference.

alter table party
  -- Null: as the party above has it.
  add column bundle_claims boolean;
alter table debt_case
  -- A person has taken the case out: it is demanded by itself.
  add column demanded_alone boolean not null default false;

-- In the payment reference of a group.
create sequence demand_group_number;

-- Made with the first demand of the cases together.
create table demand_group (
  id uuid primary key,
  number bigint not null unique,
  client_id uuid not null references party,
  debtor_id uuid not null references debtor,
  payment_reference_number text not null,
  -- The rule of law by which the claims are demanded together. Null: the client wants it.
  rule text,
  demanded_date date not null
);
create index demand_group_debtor on demand_group (debtor_id);
create index demand_group_client on demand_group (client_id);

create table demand_group_case (
  group_id uuid not null references demand_group on delete cascade,
  case_id uuid not null references debt_case,
  joined_date date not null,
  -- The day on which a person took the case out.
  left_date date,
  primary key (group_id, case_id)
);
create unique index demand_group_case_current on demand_group_case (case_id) where left_date is null;
create index demand_group_case_case on demand_group_case (case_id);

-- The cases that a letter demanded together.
create table demand_letter_case (
  document_id uuid not null references document on delete cascade,
  case_id uuid not null references debt_case,
  primary key (document_id, case_id)
);
create index demand_letter_case_case on demand_letter_case (case_id);
