-- User-defined fields, the values of theirs, and what the forms keep.

-- A field that an administrator added to an entity, or what they changed of one of the dictionary's (type is null).
create table user_field (
  id uuid primary key,
  entity text not null,
  code text not null,
  type text,
  labels jsonb not null default '{}',
  length int,
  min_value text,
  max_value text,
  specific_values text,
  lookup_code text,
  must_match_lookup boolean not null default false,
  required boolean,
  default_value jsonb,
  field_order int,
  hidden boolean not null default false,
  indexed boolean not null default false,
  audit boolean not null default true,
  personal_data_type_id int not null default 0,
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index user_field_code on user_field (entity, lower(code));

-- Values by field code; a field without a value is not in it. Filters read it by expressions, which indexes can hold.
alter table debtor add column custom jsonb not null default '{}';
alter table address add column custom jsonb not null default '{}';
alter table app_user add column custom jsonb not null default '{}';

-- A date-time as it is stored in `custom`, which always ends in Z: so no session setting changes what it means.
create function custom_time(value text) returns timestamptz language sql immutable parallel safe as $$
  select value::timestamptz
$$;

-- Values that an agency adds to a lookup, described in the languages it wants: {"en": "…", "sv": "…"}.
create table lookup_value (
  id uuid primary key,
  lookup_code text not null,
  lookup_key text not null,
  descriptions jsonb not null,
  position int not null default 0,
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index lookup_value_key on lookup_value (lookup_code, lower(lookup_key));

alter table party
  add column country_code text,
  add column currency_code text,
  add column custom jsonb not null default '{}',
  add column version int not null default 1,
  add column event_sequence bigint not null default 1;

alter table access_group add column event_sequence bigint not null default 1;

-- What clients have besides cases: light records of their own, each an item.
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
  event_sequence bigint not null default 1
);
create index third_party_client on third_party (client_id);

create table account (
  id uuid primary key,
  client_id uuid not null references party,
  account_number text not null,
  name text,
  currency_code text,
  description text,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index account_number on account (client_id, account_number);

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
  event_sequence bigint not null default 1
);
create unique index customer_number on customer (client_id, customer_number);
create index customer_debtor on customer (debtor_id);

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
  event_sequence bigint not null default 1
);
create unique index purchase_number on purchase (client_id, purchase_number);
create index purchase_customer on purchase (customer_id);

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
  event_sequence bigint not null default 1
);
create unique index object_number on object (client_id, object_number);

-- What somebody wrote about an item.
create table note (
  id uuid primary key,
  item_guid uuid not null references item,
  text text not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  custom jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 1
);
create index note_item on note (item_guid, id);

-- The installation's settings as one row, and every former state of it.
create table system_setting (
  singleton boolean primary key default true check (singleton),
  id uuid not null default gen_random_uuid(),
  settings jsonb not null default '{}',
  version int not null default 1,
  event_sequence bigint not null default 0
);
insert into system_setting default values;
create table system_setting_history (
  version int primary key,
  settings jsonb not null,
  replaced_at timestamptz not null default now(),
  business_date date not null,
  replaced_by uuid
);
