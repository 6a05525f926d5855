-- Users in full, their access, what they keep for themselves, and the items that they can point at.

alter table app_user
  add column client_id uuid,
  add column client_secret_hash text,
  add column api_user boolean not null default false,
  add column country_format text,
  add column culture_code text,
  add column street text,
  add column house_no text,
  add column house_no_extension text,
  add column city text,
  add column state_code text,
  add column zip_code text,
  add column country_code text,
  add column phone_number text,
  add column cellular_phone_number text,
  add column pbx_phone_number text,
  add column employment_number text,
  add column department text,
  add column photo_image_type text,
  add column photo_image text;
create unique index app_user_client_id on app_user (client_id);
create index app_user_full_name_order on app_user (full_name collate fordra_order nulls first, id);
create index app_user_party on app_user (party_id);
create index party_parent on party (parent_id);

-- A set of access codes that an agency names for itself.
create table access_group (
  id uuid primary key,
  code text not null,
  name text not null,
  access_codes text[] not null,
  version int not null default 1
);
create unique index access_group_code on access_group (lower(code));

create table user_access_group (
  user_id uuid not null references app_user,
  access_group_id uuid not null references access_group,
  primary key (user_id, access_group_id)
);
create index user_access_group_group on user_access_group (access_group_id);

create table user_client_restriction (
  user_id uuid not null references app_user,
  party_id uuid not null references party,
  include_sub_parties boolean not null,
  primary key (user_id, party_id)
);

create table user_setting (
  user_id uuid not null references app_user,
  context text not null,
  setting_group text not null,
  settings jsonb not null,
  primary key (user_id, context, setting_group)
);

-- Everything that can be pointed at: described, made a favorite and found in one indexed read. An item belongs to a
-- debtor or to a party, which decides who may see it.
create table item (
  guid uuid primary key,
  type int not null check (type between 1 and 9),
  primary_description text not null,
  secondary_description text,
  debtor_id uuid,
  party_id uuid
);

create table favorite (
  id uuid primary key,
  user_id uuid not null references app_user,
  position int not null,
  type int not null check (type between 0 and 9),
  target uuid,
  url text,
  sub_type text,
  primary_description text,
  secondary_description text,
  check ((type = 0) = (target is null))
);
create index favorite_position on favorite (user_id, position);
create unique index favorite_target on favorite (user_id, type, target) where target is not null;

insert into item (guid, type, primary_description, secondary_description, debtor_id)
  select id, 3, full_name, debtor_reference, id from debtor;
insert into item (guid, type, primary_description, secondary_description, party_id)
  select id, 2, name, reference_code, id from party where parent_id is not null;
create index debtor_created_by_party on debtor (created_by_party_id, full_name collate fordra_order nulls first, id);
