-- What clients have besides cases. Each record is also an item.

create table third_party (
  id uuid primary key,
  client_id uuid not null references party,
  name text not null,
  id_number text,
  email text,
  phone text,
  street text,
  zip_code text,
  city text,
  country_code text,
  description text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1,
  -- Here and below: the reference in the source it was imported from.
  source_reference text
);
create index third_party_client on third_party (client_id);
create unique index third_party_source_reference on third_party (source_reference) where source_reference is not null;
create index third_party_name_order on third_party (name collate fordra_order nulls first, id);

create table account (
  id uuid primary key,
  client_id uuid not null references party,
  account_number text not null,
  name text,
  currency_code text,
  description text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1,
  source_reference text
);
create unique index account_number on account (client_id, account_number);
create unique index account_source_reference on account (source_reference) where source_reference is not null;
create index account_number_order on account (account_number collate fordra_order nulls first, id);

create table customer (
  id uuid primary key,
  client_id uuid not null references party,
  customer_number text not null,
  name text not null,
  debtor_id uuid references debtor,
  email text,
  phone text,
  street text,
  zip_code text,
  city text,
  country_code text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1,
  source_reference text
);
create unique index customer_number on customer (client_id, customer_number);
create index customer_debtor on customer (debtor_id);
create unique index customer_source_reference on customer (source_reference) where source_reference is not null;
create index customer_number_order on customer (customer_number collate fordra_order nulls first, id);
create index customer_name_order on customer (name collate fordra_order nulls first, id);

create table purchase (
  id uuid primary key,
  client_id uuid not null references party,
  purchase_number text not null,
  customer_id uuid references customer,
  purchase_date timestamptz,
  amount_minor bigint,
  currency_code text,
  description text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1,
  source_reference text
);
create unique index purchase_number on purchase (client_id, purchase_number);
create index purchase_customer on purchase (customer_id);
create unique index purchase_source_reference on purchase (source_reference) where source_reference is not null;
create index purchase_number_order on purchase (purchase_number collate fordra_order nulls first, id);

create table object (
  id uuid primary key,
  client_id uuid not null references party,
  object_number text not null,
  name text,
  street text,
  zip_code text,
  city text,
  country_code text,
  description text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1,
  source_reference text
);
create unique index object_number on object (client_id, object_number);
create unique index object_source_reference on object (source_reference) where source_reference is not null;
create index object_number_order on object (object_number collate fordra_order nulls first, id);
