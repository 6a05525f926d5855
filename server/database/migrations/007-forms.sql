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
  event_sequence bigint not null default 1,
  unique (entity, code)
);

-- Values by field code; a field without a value is not in it. Filters read it by expressions, which indexes can hold.
alter table debtor add column custom jsonb not null default '{}';
alter table address add column custom jsonb not null default '{}';
alter table app_user add column custom jsonb not null default '{}';

-- A date-time as it is stored in `custom`, which always ends in Z: so no session setting changes what it means.
create function custom_time(value text) returns timestamptz language sql immutable parallel safe as $$
  select value::timestamptz
$$;
