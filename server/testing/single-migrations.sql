-- The 27 single migrations that 001–013 of server/platform/database/migrations replaced, as they were: the test of
-- server/platform/database/squashed-migrations.ts makes a database with them. Nothing else reads this file.
-- file: 001-foundation.sql
-- What every slice stands on: parties, users, sessions, the business clock, events, audit, idempotency keys, totals.

create extension if not exists pg_trgm;

-- One collation for the order of names everywhere. An installation with another alphabet sets, before its first start,
-- `alter database … set fordra.collation = 'nb-NO-x-icu'`.
do $$
begin
  execute format('create collation fordra_order from %I',
    coalesce(nullif(current_setting('fordra.collation', true), ''), 'sv-SE-x-icu'));
end $$;

-- An organisation. The agency is the root; its clients are below it.
create table party (
  id uuid primary key,
  reference_code text not null,
  name text not null,
  parent_id uuid references party,
  created_at timestamptz not null default now()
);
create unique index party_reference_code on party (lower(reference_code));

create table app_user (
  id uuid primary key,
  party_id uuid not null references party,
  user_code text,
  email text not null,
  full_name text not null,
  password_hash text,
  user_role int not null check (user_role between 1 and 14),
  mfa_type int not null default 0 check (mfa_type between 0 and 3),
  disabled boolean not null default false,
  language_code text,
  version int not null default 1,
  event_sequence bigint not null default 1,
  created_at timestamptz not null default now()
);
create unique index app_user_email on app_user (lower(email));
create unique index app_user_user_code on app_user (lower(user_code));

create table session (
  id uuid primary key,
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  ends_at timestamptz not null,
  revoked_at timestamptz
);
create index session_by_user on session (user_id);
create index session_ends_at on session (ends_at);

-- Only SHA-256 hashes: a stolen copy of this table opens nothing.
create table session_token (
  hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index session_token_session on session_token (session_id);

-- Failed sign-ins by login (hashed) and by address, shared by all nodes.
create table login_failure (
  key bytea primary key,
  failures int not null,
  counted_since timestamptz not null,
  blocks int not null default 0,
  blocked_until timestamptz
);

-- The business date is state: it changes in one transaction together with everything that depends on it.
create table business_clock (
  singleton boolean primary key default true check (singleton),
  business_date date not null,
  system_date date
);

create table event (
  position bigint generated always as identity primary key,
  id uuid not null,
  type text not null,
  version int not null default 1,
  occurred_at timestamptz not null default now(),
  subject uuid not null,
  sequence bigint not null,
  data jsonb not null,
  xid bigint not null default (pg_current_xact_id()::text::bigint)
);
-- Gapless and without doubles per subject.
create unique index event_subject on event (subject, sequence);

create table audit_entry (
  position bigint generated always as identity primary key,
  xid bigint not null default (pg_current_xact_id()::text::bigint),
  occurred_at timestamptz not null default now(),
  business_date date not null,
  actor_id uuid,
  request_id text,
  operation text not null,
  action text not null,
  entity text not null,
  entity_id uuid not null,
  subject uuid not null,
  changes jsonb not null
);
create index audit_entry_subject on audit_entry (subject, position);
create index audit_entry_xid on audit_entry (xid);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change();

-- The chain over the audit entries. A seal covers the entries above `after_position` whose transaction lies in
-- [from_xid, to_xid), all of them finished when it was made; its hash covers theirs and the seal before. After a
-- restore into another cluster transaction numbers start again: then `after_position` begins a new era.
create table audit_seal (
  number bigint primary key,
  after_position bigint not null,
  from_xid bigint not null,
  to_xid bigint not null,
  entries bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now()
);
create trigger audit_seal_append_only before update or delete or truncate on audit_seal
  for each statement execute function refuse_change();

create function audit_digest(after_position bigint, from_xid bigint, to_xid bigint)
returns table (entries bigint, digest bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  select count(*), sha256(coalesce(string_agg(
    sha256(convert_to(jsonb_build_array(e.position, e.xid, e.occurred_at, e.business_date, e.actor_id, e.request_id,
      e.operation, e.action, e.entity, e.entity_id, e.subject, e.changes)::text, 'UTF8')), ''::bytea
    order by e.xid, e.position), ''::bytea))
  from audit_entry e
  where e.xid >= $2 and e.xid < $3 and e.position > $1
$$;

-- The first answer to a request with an Idempotency-Key, kept for 24 hours.
create table idempotency_key (
  caller_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status int not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (caller_id, key)
);
create index idempotency_key_created_at on idempotency_key (created_at);

-- How many rows a list has in all, and how often it changed, kept in slots by backend so that writers rarely meet.
-- `changes` rises in the same transaction as the rows: two snapshots with equal sums hold equal rows.
create table list_total (
  entity text not null,
  slot int not null,
  rows bigint not null default 0,
  changes bigint not null default 0,
  primary key (entity, slot)
) with (fillfactor = 20);

create function count_list_change() returns trigger language plpgsql as $$
declare
  delta bigint := 0;
begin
  if tg_op = 'INSERT' then
    select count(*) into delta from new_rows;
  elsif tg_op = 'DELETE' then
    select -count(*) into delta from old_rows;
  end if;
  update list_total set rows = rows + delta, changes = changes + 1
    where entity = tg_table_name and slot = pg_backend_pid() % 32;
  return null;
end $$;
-- file: 002-debtors.sql
-- Debtors, their addresses and extra fields.

create sequence debtor_reference_number start 100001;

-- A number with its Luhn check digit (ISO/IEC 7812-1 annex B) appended.
create function with_luhn_digit(n bigint) returns text language plpgsql immutable strict parallel safe as $$
declare
  digits text := n::text;
  sum int := 0;
  digit int;
begin
  for i in 1..length(digits) loop
    digit := substr(digits, length(digits) + 1 - i, 1)::int;
    if i % 2 = 1 then
      digit := digit * 2;
      if digit > 9 then digit := digit - 9; end if;
    end if;
    sum := sum + digit;
  end loop;
  return digits || ((10 - sum % 10) % 10)::text;
end $$;

create table debtor (
  id uuid primary key,
  debtor_reference text not null default with_luhn_digit(nextval('debtor_reference_number')),
  id_number text,
  -- The country whose rules the identity number was checked by.
  id_country_code text,
  -- 0, and from 1 on for a double that the caller asked for.
  duplicate_number int not null default 0,
  juridical_type int,
  place_of_birth text,
  date_of_birth timestamptz,
  -- True as of the business date, which changes together with this column.
  under_aged boolean,
  gender int,
  culture_code text,
  full_name text not null,
  firstname text,
  middlename text,
  lastname text,
  name_suffix text,
  domicile text,
  municipal_code text,
  vat_number text,
  nace_code text,
  home_phone text,
  work_phone text,
  cellular_phone text,
  telefax text,
  email text,
  language_code text,
  currency_code text,
  preferred_channel text,
  conversation_notification_channel int,
  conversation_notification_email text,
  conversation_notification_cellular_phone text,
  reg_date timestamptz not null,
  -- A copy of the default address valid on the business date, so that lists read one table.
  street text,
  house_no text,
  house_no_extension text,
  city text,
  zip_code text,
  state_code text,
  country_code text,
  created_by_party_id uuid references party,
  -- The reference of an import's source.
  source_reference text,
  version int not null default 1,
  event_sequence bigint not null default 1
) with (fillfactor = 90);

create unique index debtor_reference on debtor (debtor_reference);
create unique index debtor_id_number on debtor (id_number, id_country_code, duplicate_number) where id_number is not null;
create unique index debtor_source_reference on debtor (source_reference) where source_reference is not null;
create index debtor_full_name_order on debtor (full_name collate fordra_order nulls first, id);
create index debtor_full_name_prefix on debtor (full_name text_pattern_ops);
create index debtor_city_full_name on debtor (city, full_name text_pattern_ops);
create index debtor_full_name_part on debtor using gin (full_name gin_trgm_ops);
create index debtor_city_order on debtor (city collate fordra_order nulls first, id);
create index debtor_email on debtor (email) where email is not null;
create index debtor_cellular_phone on debtor (cellular_phone) where cellular_phone is not null;
create index debtor_date_of_birth on debtor (date_of_birth) where date_of_birth is not null;

insert into list_total (entity, slot) select 'debtor', slot from generate_series(0, 31) slot;
create trigger debtor_inserted after insert on debtor referencing new table as new_rows
  for each statement execute function count_list_change();
create trigger debtor_deleted after delete on debtor referencing old table as old_rows
  for each statement execute function count_list_change();
-- `version` changes with every member of the record, `city` with the copy of the address.
create trigger debtor_updated after update of version, city, under_aged on debtor
  for each statement execute function count_list_change();

create table address (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  address_type text not null,
  full_name text,
  street text,
  house_no text,
  house_no_extension text,
  city text,
  zip_code text,
  state_code text,
  country_code text,
  full_address text,
  address_not_valid_date timestamptz,
  default_address boolean not null,
  valid_from timestamptz,
  valid_to timestamptz,
  validated_at timestamptz,
  last_updated_at timestamptz not null,
  valid_override boolean not null default false,
  version int not null default 1,
  check (valid_to >= valid_from)
);
create index address_debtor on address (debtor_id, id);
create unique index address_default on address (debtor_id) where default_address;
create index address_default_from on address (valid_from) where default_address and valid_from is not null;
create index address_default_to on address (valid_to) where default_address and valid_to is not null;
create index address_default_not_valid on address (address_not_valid_date)
  where default_address and address_not_valid_date is not null;

create table extra_field (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  name text not null,
  value text[] not null,
  version int not null default 1
);
create unique index extra_field_name on extra_field (debtor_id, lower(name));
-- file: 003-imports.sql
-- What was imported: one row for each run, brought up to date in the transaction of each chunk.
create table import_run (
  id uuid primary key,
  -- What kind of records.
  what text not null,
  source text not null,
  file_name text not null,
  business_date date not null,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null while it runs, and for ever when it was ended suddenly.
  ended_at timestamptz,
  -- Whether it came to the end of its file.
  complete boolean not null default false,
  rows_read bigint not null default 0,
  inserted bigint not null default 0,
  already_there bigint not null default 0,
  rejected bigint not null default 0
) with (fillfactor = 50);
create index import_run_started_at on import_run (started_at);
-- file: 004-users.sql
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
-- file: 005-messages.sql
-- Messages to users, their second factors, and resetting a password. One-time secrets are stored as SHA-256 only.

-- The outbox. A body may hold a code: it is emptied when the message is sent or has expired.
create table message (
  id uuid primary key,
  kind text not null,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  language text not null,
  subject text not null,
  body text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  next_try_at timestamptz not null default now(),
  attempts int not null default 0,
  sent_at timestamptz,
  last_error text
);
create index message_due on message (next_try_at) where sent_at is null;
create index message_created_at on message (created_at);

-- Seeds of authenticator apps: the one in use, and one that is being enrolled. `last_step` is the newest time step that
-- was used, so that no code works twice. `sealed`: encrypted under FORDRA_SECRET_KEY.
create table authenticator (
  user_id uuid not null references app_user,
  active boolean not null,
  seed bytea not null,
  sealed boolean not null,
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (user_id, active)
);

create table recovery_code (
  user_id uuid not null references app_user,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- A proof that is asked for: to sign in, to confirm a new channel, or to change the second factor.
create table mfa_challenge (
  hash bytea primary key,
  user_id uuid not null references app_user,
  purpose text not null check (purpose in ('sign-in', 'choose', 'change')),
  mfa_type int not null check (mfa_type between 1 and 3),
  code_hash bytea,
  tries int not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mfa_challenge_user on mfa_challenge (user_id, created_at);
create index mfa_challenge_expires_at on mfa_challenge (expires_at);

-- A session of a user who has yet to enrol the second factor that they must have.
alter table session add column mfa_pending boolean not null default false;

-- What was typed where a password was forgotten. Looked up in the background, so that the answer and its time do not
-- depend on whether there is such a user; gone within seconds.
create table password_reset_request (
  login text primary key,
  created_at timestamptz not null default now()
);

create table password_reset (
  hash bytea primary key,
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_reset_user on password_reset (user_id, created_at);
create index password_reset_created_at on password_reset (created_at);
-- file: 006-sign-in.sql
-- How a session began and what carries it, users of an outside sign-in provider, and sign-ins through it under way.

alter table session
  add column how text not null default 'password' check (how in ('password', 'mfa', 'oauth2', 'oidc')),
  add column carried_by text not null default 'token' check (carried_by in ('token', 'cookie')),
  add column address text,
  add column user_agent text,
  add column scope text[];

alter table session_token
  drop constraint session_token_kind_check,
  add constraint session_token_kind_check check (kind in ('access', 'refresh', 'cookie'));

-- A user has at most one identity at each provider: an e-mail that the provider gives to somebody else opens nothing.
create table external_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Used once: the row goes when the browser comes back.
create table oidc_attempt (
  state_hash bytea primary key,
  return_to text not null,
  expires_at timestamptz not null
);
create index oidc_attempt_expires_at on oidc_attempt (expires_at);
-- file: 007-events-in-entries.sql
-- A change's event and its audit entry were two rows with the same reason, time and subject. They become one: an entry
-- with a number is an event. Entries without one, such as the end of a session, are told to nobody.

alter table audit_entry
  add column id uuid,
  add column type text,
  -- Of the event's type.
  add column version int not null default 1,
  add column sequence bigint,
  add column data jsonb;

-- Both were written in one order, so that the n-th event of a subject belongs to its n-th entry of an event's kind.
alter table audit_entry disable trigger audit_entry_append_only;
update audit_entry a
set id = e.id, type = e.type, version = e.version, sequence = e.sequence, data = e.data
from (select *, row_number() over (partition by subject, type, xid order by position) as n from event) e
join (
  select position, subject, xid, entity || '.' || action as type,
    row_number() over (partition by subject, entity, action, xid order by position) as n
  from audit_entry
) o using (subject, type, xid, n)
where a.position = o.position;
alter table audit_entry enable trigger audit_entry_append_only;

do $$
declare
  lost bigint;
begin
  select count(*) into lost from event e where not exists (select from audit_entry a where a.id = e.id);
  if lost > 0 then
    raise exception '% events have no audit entry to go to', lost;
  end if;
end $$;

drop table event;
drop index audit_entry_subject;
-- Gapless and without doubles per subject; also finds all entries of one.
create unique index audit_entry_subject on audit_entry (subject, sequence);
alter table audit_entry add check ((sequence is null) = (id is null) and (sequence is null) = (type is null) and (sequence is null) = (data is null));

create view event as
  select position, id, type, version, occurred_at, subject, sequence, data, xid from audit_entry where sequence is not null;
-- file: 008-audit-seal-version.sql
-- How a seal's hash was made. Version 2 also covers the seal's own number and range; the seals there are stay version 1.
alter table audit_seal add column version int not null default 1;

-- By what an imported party or user is known from run to run: the source and its own reference.
alter table party add column source_reference text;
create unique index party_source_reference on party (source_reference);
alter table app_user add column source_reference text;
create unique index app_user_source_reference on app_user (source_reference);
-- file: 009-forms.sql
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
-- file: 010-search.sql
-- What items are found by: the lexemes of each, and the words that there are, for typing errors. None of those in SQL is
-- strict: PostgreSQL then writes them into the statement, which makes them several times as fast.

-- Without case, accents and the letters that have no plain sister; in step with `foldText` of core/text/fold-text.ts, and for
-- the letters of Western Europe independent of the database's locale.
create function fold_text(given text) returns text language sql immutable parallel safe as $$
  select case when octet_length(given) = length(given) then lower(given) else
    lower(replace(replace(replace(replace(replace(replace(replace(replace(
      translate(regexp_replace(normalize(given, nfd), '[\u0300-\u036f]', '', 'g'), 'ØøÐðĐđĦħıŁł', 'ooddddhhill'),
      'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'), 'ẞ', 'ss'), 'ß', 'ss')) end
$$;

-- A number or reference by its letters and digits alone.
create function compact_of(given text) returns text language sql immutable parallel safe as $$
  select regexp_replace(fold_text(given), '[^0-9a-z]+', '', 'g')
$$;

-- The words of a folded text as lexemes of items of a type. There may be an empty one.
create function word_lexemes(type_digit text, folded text) returns text[] language sql immutable parallel safe as $$
  select string_to_array(type_digit || 'w:' || regexp_replace(folded,
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f]+', U&'\0001' || type_digit || 'w:', 'g'), U&'\0001')
$$;

-- An item's lexemes, each after the digit of its type, so that items of one type are found without going through the
-- others: `w:` the words of the first line, `n:` that line as a whole, `r:` the second one; and the keys that the item's
-- own table gives it. In PL/pgSQL, which keeps what it has read of the others: a generated column in SQL is read and
-- put together anew for each statement, which took as long as all the rest of storing a new debtor.
create function search_lexemes(item_type int, first_line text, second_line text, keys text[])
returns tsvector language plpgsql immutable parallel safe as $$
begin
  return array_to_tsvector(array_remove(array_remove(
    word_lexemes(item_type::text, fold_text(first_line)) || keys || array[
      item_type::text || 'n:' || left(fold_text(first_line), 200),
      item_type::text || 'r:' || left(compact_of(second_line), 100)], item_type::text || 'w:'), null));
end $$;

-- What a debtor is found by besides name and reference: `i:` the identity number, also as it is spoken in Sweden, without
-- the century; `p:` each phone's digits; `e:` each e-mail; and the words of the e-mail's local part.
create function debtor_search_keys(d debtor) returns text[] language sql immutable parallel safe as $$
  select array_remove(array[
    '3i:' || compact_of(d.id_number),
    case when d.id_number ~ '^(19|20)[0-9]{6}-' then '3i:' || substr(compact_of(d.id_number), 3) end,
    '3p:' || ltrim(split_part(d.home_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.work_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.cellular_phone, ' ', 1), '+'),
    '3p:' || ltrim(split_part(d.conversation_notification_cellular_phone, ' ', 1), '+'),
    '3e:' || lower(d.email),
    '3e:' || lower(d.conversation_notification_email)], null) || word_lexemes('3', fold_text(split_part(d.email, '@', 1)))
$$;

alter table item add column search_keys text[] not null default '{}';
update item set search_keys = debtor_search_keys(d) from debtor d where d.id = item.guid;
alter table item add column lexemes tsvector not null
  generated always as (search_lexemes(type, primary_description, secondary_description, search_keys)) stored;
-- Writers bring their new entries in early, so that a search has few to go through one by one.
create index item_lexemes on item using gin (lexemes) with (gin_pending_list_limit = 256);

-- For lookups: references by a part of them; items in the order of their names, and by parts of words. Debtors have their own such indexes.
create index debtor_reference_part on debtor using gin (debtor_reference gin_trgm_ops);
create index item_name_order on item (type, primary_description collate fordra_order, guid) where type <> 3;
create index item_part on item
  using gin (fold_text(primary_description || ' ' || coalesce(secondary_description, '')) gin_trgm_ops) where type <> 3;

-- Every word that an item's lines or keys have had. A word that two write at the same time stands here twice, which is
-- better than that one waits for the other.
create table search_word (word text not null);
create index search_word_word on search_word (word text_pattern_ops);
create index search_word_part on search_word using gin (word gin_trgm_ops);

create function keep_search_words() returns trigger language plpgsql as $$
begin
  -- One look into the index for each word: `not exists` would become a join that reads every word there is.
  insert into search_word (word)
    select given.word from (
      select distinct substr(lexeme, 4) as word from new_rows, unnest(tsvector_to_array(lexemes)) lexeme
      where lexeme ~ '^.w:[^0-9]{3,40}$') given
    where (select true from search_word w where w.word = given.word limit 1) is null;
  return null;
end $$;
insert into search_word (word)
  select distinct substr(lexeme, 4) from item, unnest(tsvector_to_array(lexemes)) lexeme where lexeme ~ '^.w:[^0-9]{3,40}$';
create trigger item_inserted after insert on item referencing new table as new_rows
  for each statement execute function keep_search_words();
create trigger item_updated after update on item referencing new table as new_rows
  for each statement execute function keep_search_words();
-- file: 011-cases.sql
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
-- file: 012-jobs.sql
-- Work in the background and its history, the day-end, settings that change while the service runs, and webhooks.

-- One row for each job somebody may ask about. What is to be run next is in the queue's own schema (graphile_worker);
-- the two are written in one transaction.
create table job_run (
  id uuid primary key,
  kind text not null,
  -- What it works on: the command, the code of a service.
  name text not null,
  payload jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'completed', 'failed', 'cancelled')),
  attempts int not null default 0,
  attempts_max int not null,
  progress_done bigint,
  progress_total bigint,
  result jsonb,
  last_error text,
  asked_by uuid,
  request_id text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Of the attempt that is running: a run that was thought dead cannot write over the one after it.
  attempt_id uuid,
  cancel_requested boolean not null default false,
  event_sequence int not null default 0,
  -- At most one job that has not ended has a key: a command that runs already, an hour of a schedule.
  unique_key text
);
create unique index job_run_unique_key on job_run (unique_key) where status in ('waiting', 'running');
create index job_run_created_at on job_run (created_at);
create index job_run_live on job_run (status) where status in ('waiting', 'running');

-- The slots of schedules that have been asked for, so that of many nodes one asks.
create table schedule_slot (
  schedule text not null,
  slot text not null,
  job_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (schedule, slot)
);

-- The steps of a business date's end that are done, written in the transaction of the step.
create table day_end_step (
  business_date date not null,
  step text not null,
  result jsonb,
  ended_at timestamptz not null default now(),
  primary key (business_date, step)
);

-- Settings that hold on every node and change while it runs.
create table live_setting (
  name text primary key,
  value jsonb not null,
  changed_at timestamptz not null default now()
);

-- Events are read in the order in which their transactions could have ended: by transaction, then by position. In a
-- database restored into another cluster transaction numbers begin again: then `feed_xid` of what was there becomes 0,
-- while `xid`, which the seals cover, stays. It is the one column of an entry that can change.
alter table audit_entry add column feed_xid bigint not null default (pg_current_xact_id()::text::bigint);
drop trigger audit_entry_append_only on audit_entry;
update audit_entry set feed_xid = xid;
create trigger audit_entry_append_only before update of position, xid, occurred_at, business_date, actor_id, request_id,
  operation, action, entity, entity_id, subject, changes, id, type, version, sequence, data or delete or truncate
  on audit_entry for each statement execute function refuse_change();
create index audit_entry_feed on audit_entry (feed_xid, position) where sequence is not null;
drop view event;
create view event as
  select position, id, type, version, occurred_at, subject, sequence, data, feed_xid as xid
  from audit_entry where sequence is not null;

create table webhook (
  id uuid primary key,
  url text not null,
  description text,
  -- `debtor.*`, `payment.registered`; all when empty.
  types text[] not null,
  -- Encrypted under FORDRA_SECRET_KEY when `sealed`.
  secret bytea not null,
  sealed boolean not null,
  enabled boolean not null default true,
  paused_at timestamptz,
  paused_reason text,
  failures int not null default 0,
  -- Up to where events have been laid out for delivery.
  after_xid bigint not null,
  after_position bigint not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  version int not null default 1,
  event_sequence int not null default 0
);

create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  position bigint not null,
  event_id uuid not null,
  type text not null,
  subject uuid not null,
  sequence bigint not null,
  -- Order of arrival in the feed.
  number bigint generated always as identity,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  response_status int,
  milliseconds int,
  last_error text
);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, number) where status = 'waiting';
create index webhook_delivery_subject on webhook_delivery (webhook_id, subject, number) where status = 'waiting';
create index webhook_delivery_log on webhook_delivery (webhook_id, number);
create index webhook_delivery_created_at on webhook_delivery (created_at);
-- file: 013-plans.sql
-- Payment plans: terms, schedule, cases, and how far each is paid.

-- Months without a payment in debt relief, 1 to 12; null where the party above says.
alter table party
  add column plan_free_months int[],
  add constraint party_free_months check (plan_free_months <@ array[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    and cardinality(plan_free_months) <= 11);

-- Amounts are in minor units.
create table payment_plan (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  -- 0 ended, 1 active, 2 proposal.
  active int not null check (active in (0, 1, 2)),
  end_reason text check (end_reason in ('COMPLETED', 'BREACHED', 'CANCELLED')),
  end_date date,
  plan_type int not null check (plan_type between 1 and 5),
  registration_date date not null,
  -- What is owed is counted to this day: of the proposal, then of the activation.
  start_date date not null,
  currency_code text not null,
  -- Minor units to one of the currency: 1, 100, 1000 or 10000.
  minor_per_unit int not null check (minor_per_unit in (1, 100, 1000, 10000)),
  -- What it is computed from.
  asked_number int check (asked_number between 1 and 600),
  asked_amount bigint check (asked_amount > 0),
  registration_fee bigint not null check (registration_fee >= 0),
  invoice_fee bigint not null check (invoice_fee >= 0),
  reminder_fee bigint not null check (reminder_fee >= 0),
  first_due_days int not null check (first_due_days >= 0),
  interval_type int not null check (interval_type between 1 and 4),
  interval_count int not null check (interval_count > 0),
  free_months int[] not null,
  grace_days int not null check (grace_days >= 0),
  misses_to_breach int not null check (misses_to_breach > 0),
  -- Payments that deviate: number, date, amount in minor units.
  deviations jsonb not null check (jsonb_typeof(deviations) = 'array'),
  -- What was computed.
  number_of_payments int not null check (number_of_payments between 1 and 600),
  level_amount bigint not null check (level_amount > 0),
  payment_type int not null check (payment_type between 1 and 3),
  claim bigint not null check (claim > 0),
  left_amount bigint not null check (left_amount >= 0),
  annual_percentage float8,
  periods jsonb not null check (jsonb_typeof(periods) = 'array'),
  -- How far it is paid and invoiced.
  remaining_number int not null check (remaining_number between 0 and 600),
  invoiced_through int not null default 0 check (invoiced_through >= 0),
  -- The next day on which there is something to do without a payment; null where none is known.
  next_check date,
  version int not null default 1,
  event_sequence bigint not null default 0,
  check ((active = 0) = (end_reason is not null)),
  check ((active = 0) = (end_date is not null))
);
create index payment_plan_debtor on payment_plan (debtor_id, id);
create index payment_plan_check on payment_plan (next_check, id) where active = 1;

create table payment_plan_payment (
  plan_id uuid not null references payment_plan on delete cascade,
  payment_no int not null check (payment_no between 1 and 600),
  invoice_date date not null,
  due_date date not null,
  instalment bigint not null check (instalment >= 0),
  interest bigint not null check (interest >= 0),
  fee bigint not null check (fee >= 0),
  amount bigint not null,
  payment_type int not null check (payment_type between 1 and 3),
  paid bigint not null default 0,
  paid_date date,
  missed_date date,
  primary key (plan_id, payment_no),
  check (amount = instalment + interest + fee),
  check (paid between 0 and amount)
);

-- A plan's cases, the oldest first. The client is the case's own, so that a restriction is one look.
create table payment_plan_case (
  plan_id uuid not null references payment_plan,
  case_id uuid not null,
  client_id uuid not null,
  number int not null,
  -- Under the plan now.
  active boolean not null default false,
  -- What the case owed at the start: by this debt relief is shared.
  claim bigint not null check (claim >= 0),
  -- The case's movements that pay the plan come after the first of these numbers, up to the second.
  movements_before int,
  movements_through int,
  primary key (plan_id, case_id),
  unique (plan_id, number),
  check (not active or movements_before is not null),
  foreign key (case_id, client_id) references debt_case (id, client_id)
);
create unique index payment_plan_case_active on payment_plan_case (case_id) where active;
create index payment_plan_case_case on payment_plan_case (case_id);
create index payment_plan_case_client on payment_plan_case (client_id, plan_id);
-- file: 014-strategies.sql
-- Letters that are kept, and the steps of collection.

-- A letter. Its data is what it says, as of its date; the PDF is made of it when it is first asked for, and then kept.
create table document (
  id uuid primary key,
  debtor_id uuid not null references debtor,
  -- Null for one about all that a debtor owes.
  case_id uuid references debt_case,
  -- Whose cases it tells of.
  client_ids uuid[] not null,
  kind text not null check (kind in ('statement', 'reminder', 'demand', 'legal', 'surveillance')),
  language text not null,
  title text not null,
  business_date date not null,
  data jsonb not null,
  content bytea,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index document_debtor on document (debtor_id, id);
create index document_case on document (case_id) where case_id is not null;
-- Once made, what a letter says does not change.
create function guard_document() returns trigger language plpgsql as $$
begin
  if old.content is not null or (to_jsonb(old) - 'content') <> (to_jsonb(new) - 'content') then
    raise exception 'a document does not change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger document_unchanged before update on document for each row execute function guard_document();

-- A letter to be printed and posted waits in the outbox like other messages, and is its document.
alter table message
  drop constraint message_channel_check,
  add constraint message_channel_check check (channel in ('email', 'sms', 'letter')),
  add column document_id uuid references document,
  add constraint message_document check ((channel = 'letter') = (document_id is not null));
create index message_document on message (document_id) where document_id is not null;

-- The business date since which a case stands where it does, open and not held: null for since its registration. The
-- nightly accrual touches none of these columns, and the column has no index.
alter table debt_case add column status_since date;
create function note_status_since() returns trigger language plpgsql as $$
begin
  if (old.place_status, old.place_sub_status) is distinct from (new.place_status, new.place_sub_status)
      or (old.hold is not null and new.hold is null) or (old.closure_code is not null and new.closure_code is null) then
    new.status_since := (select business_date from business_clock);
  end if;
  return new;
end $$;
create trigger debt_case_status_since before update of place_status, place_sub_status, hold, closure_code on debt_case
  for each row execute function note_status_since();
update debt_case c set status_since = a.since
from (
  select subject, max(business_date) as since from audit_entry
  where entity = 'case' and changes ?| array['status', 'subStatus'] and action <> 'registered' group by subject
) a
where a.subject = c.id;

-- Collection steps as data. A party without a strategy has that of the party above it.
create table strategy (
  id uuid primary key,
  code text not null unique,
  name text not null,
  -- Law and practice that it follows.
  source text,
  -- Where not looked up in the statute itself.
  unverified boolean not null default false,
  created_at timestamptz not null default now()
);
create table strategy_step (
  id uuid primary key,
  strategy_id uuid not null references strategy on delete cascade,
  -- Of several that are due the one with the lowest number comes first.
  number int not null,
  code text not null,
  status text not null,
  sub_status text,
  service text check (service in ('PRECOLLECTION', 'COLLECTION', 'SURVEILLANCE')),
  -- So many days after `status_since`.
  after_days int not null check (after_days between 0 and 36500),
  -- Of the client, as for statutory fees.
  countries text[],
  currencies text[],
  -- What remains, in the currency itself: at least, and less than.
  amount_from numeric,
  amount_below numeric,
  -- Whether the case is under a payment plan; null for either.
  on_plan boolean,
  -- What is done, in this order, all or nothing (core/cases/strategies.ts).
  actions jsonb not null check (jsonb_typeof(actions) = 'array' and jsonb_array_length(actions) between 1 and 10),
  source text,
  unique (strategy_id, number),
  unique (strategy_id, code)
);
alter table party add column strategy_id uuid references strategy;

-- The steps of a case: each is taken once. A refused one is tried again on a later business date.
create table strategy_step_taken (
  case_id uuid not null references debt_case,
  step_id uuid not null references strategy_step,
  business_date date not null,
  refused text,
  taken_at timestamptz not null default now(),
  primary key (case_id, step_id)
);
-- file: 015-holdings.sql
-- What clients have besides cases can be imported, known by the source's own reference, and is listed in order.
alter table third_party add column source_reference text;
alter table account add column source_reference text;
alter table customer add column source_reference text;
alter table purchase add column source_reference text;
alter table object add column source_reference text;

create unique index third_party_source_reference on third_party (source_reference) where source_reference is not null;
create unique index account_source_reference on account (source_reference) where source_reference is not null;
create unique index customer_source_reference on customer (source_reference) where source_reference is not null;
create unique index purchase_source_reference on purchase (source_reference) where source_reference is not null;
create unique index object_source_reference on object (source_reference) where source_reference is not null;

create index third_party_name_order on third_party (name collate fordra_order nulls first, id);
create index account_number_order on account (account_number collate fordra_order nulls first, id);
create index customer_number_order on customer (customer_number collate fordra_order nulls first, id);
create index customer_name_order on customer (name collate fordra_order nulls first, id);
create index purchase_number_order on purchase (purchase_number collate fordra_order nulls first, id);
create index object_number_order on object (object_number collate fordra_order nulls first, id);

-- A rate is listed like anything else: by a key of one column.
alter table reference_rate add column id uuid not null default gen_random_uuid();
create unique index reference_rate_id on reference_rate (id);
-- file: 016-fees-and-plan-sources.sql
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
-- file: 017-chunks-and-strategies.sql
-- Steps of the day-end that go on from where they were, strategies that are edited, and uploaded files.

-- A step is done chunk by chunk: its row holds the figures so far, and the place where the next chunk begins.
alter table day_end_step
  add column is_done boolean not null default true,
  add column place jsonb,
  -- The job that did its last chunk; null for steps of before this migration.
  add column job_id uuid;

-- A letter may go by e-mail, with the document attached, where the client has it so: null for as the party above. Never in
-- Norway, whose law has the notices written on paper (inkassoloven §§ 9 and 10, as quoted by jusinfo.no).
alter table party add column letters_by_email boolean;
create function sends_letters_by_email(party_id uuid) returns boolean language sql stable as $$
  with recursive above as (
    select id, parent_id, letters_by_email, country_code, 0 as distance from party where id = party_id
    union all
    select p.id, p.parent_id, p.letters_by_email, p.country_code, a.distance + 1
    from party p join above a on p.id = a.parent_id
  )
  select coalesce((select letters_by_email from above where letters_by_email is not null order by distance limit 1), false)
    and (select country_code from above where country_code is not null order by distance limit 1) is distinct from 'NO'
$$;
alter table message
  drop constraint message_document,
  add constraint message_document check (
    case channel when 'letter' then document_id is not null when 'email' then true else document_id is null end);

-- A strategy that is edited gets a new version: its steps of every version are kept, for the cases that go by them.
alter table strategy
  add column version int not null default 1,
  -- Cases that go by an older version go by this one.
  add column running_from int not null default 1,
  add column event_sequence bigint not null default 0;
alter table strategy_step
  add column version int not null default 1,
  drop constraint strategy_step_strategy_id_number_key,
  drop constraint strategy_step_strategy_id_code_key,
  add unique (strategy_id, version, number),
  add unique (strategy_id, version, code);

-- Files that were uploaded to be imported: here, so that whichever node imports them has them. What a file holds is
-- removed once it is imported; the report of what was rejected stays as long as the row.
create table uploaded_file (
  id uuid primary key,
  what text not null,
  source text not null,
  file_name text not null,
  -- How it is to be read: delimiter, encoding, mappings, duplicates.
  options jsonb not null default '{}',
  bytes bigint not null default 0,
  -- Whether all of it has come.
  is_whole boolean not null default false,
  -- The last job that imported it.
  job_id uuid,
  imported_at timestamptz,
  has_rejected boolean not null default false,
  uploaded_by uuid,
  created_at timestamptz not null default now()
);
create index uploaded_file_created_at on uploaded_file (created_at);
create table uploaded_part (
  file_id uuid not null references uploaded_file on delete cascade,
  kind text not null check (kind in ('content', 'rejected')),
  number int not null,
  content bytea not null,
  primary key (file_id, kind, number)
);
alter table uploaded_part alter column content set storage external;

-- What was written to a debtor stands on their timeline. Of old messages the recipient is emptied, the row stays.
alter table message add column debtor_id uuid references debtor on delete cascade;
update message m set debtor_id = o.debtor_id from document o where o.id = m.document_id;
create index message_debtor on message (debtor_id) where debtor_id is not null;
-- file: 018-payment-files.sql
-- Bank files and their entries, money that nobody knows the case of yet, payouts to clients, and the books of these three.

create table payment_file (
  id uuid primary key,
  format text not null check (format in ('CAMT053', 'CAMT054', 'BGMAX', 'OCRGIRO')),
  file_name text,
  -- What the sender calls it.
  message_id text,
  -- Of its bytes: the same file is taken once.
  sha256 bytea not null unique,
  bytes bigint not null,
  business_date date not null,
  received_at timestamptz not null default now(),
  received_by uuid,
  -- Null while entries wait.
  posted_at timestamptz,
  entries int not null,
  -- Of the entries, by what became of them; the rest waits.
  booked int not null default 0,
  suspended int not null default 0,
  already_there int not null default 0,
  not_booked int not null default 0,
  event_sequence bigint not null default 0,
  check (booked + suspended + already_there + not_booked <= entries)
) with (fillfactor = 50);
create index payment_file_received_at on payment_file (received_at);

create table payment_file_entry (
  id uuid primary key,
  file_id uuid not null references payment_file,
  -- Within the file, from 1 on.
  number int not null,
  -- A hash of what makes it the same entry in another file.
  identity bytea not null,
  account text not null,
  currency_code text not null,
  minor_per_unit int not null,
  -- Minor units, without a sign.
  amount bigint not null check (amount >= 0),
  booking_date date,
  value_date date,
  -- Fields that are meant as references, and words of the message that may be.
  payment_references text[] not null,
  words text[] not null,
  payer_name text,
  message text,
  outcome text not null check (outcome in ('WAITING', 'BOOKED', 'SUSPENSE', 'ALREADY_THERE', 'NOT_BOOKED')),
  -- Why it is in suspense or not booked.
  reason text,
  payment_id uuid references payment,
  unique (file_id, number)
) with (fillfactor = 70);
-- Entries that count; one that was pending comes again when it is booked.
create unique index payment_file_entry_identity on payment_file_entry (identity)
  where outcome in ('WAITING', 'BOOKED', 'SUSPENSE');
create index payment_file_entry_waiting on payment_file_entry (file_id, number) where outcome = 'WAITING';
create index payment_file_entry_payment on payment_file_entry (payment_id) where payment_id is not null;

-- Money on our account that belongs to nobody known yet.
create table suspense (
  id uuid primary key,
  entry_id uuid not null unique references payment_file_entry,
  currency_code text not null,
  minor_per_unit int not null,
  amount bigint not null check (amount > 0),
  value_date date not null,
  reason text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'ALLOCATED', 'REFUNDED')),
  payment_id uuid references payment,
  settled_date date,
  settled_by uuid,
  -- Why and whereto it was paid back.
  note text,
  version int not null default 1,
  event_sequence bigint not null default 0,
  check ((status = 'OPEN') = (settled_date is null)),
  check ((status = 'ALLOCATED') = (payment_id is not null))
);
create index suspense_open on suspense (value_date, id) where status = 'OPEN';

-- What was paid out to clients at once, in one currency: one file for the bank, kept as it was made.
create table payout_batch (
  id uuid primary key,
  number bigint generated always as identity unique,
  currency_code text not null,
  minor_per_unit int not null,
  business_date date not null,
  execution_date date not null,
  account text not null,
  amount bigint not null check (amount > 0),
  payouts int not null check (payouts > 0),
  content text not null,
  created_at timestamptz not null default now(),
  created_by uuid,
  event_sequence bigint not null default 0
);
create table payout (
  id uuid primary key,
  batch_id uuid not null references payout_batch,
  -- Within the batch, from 1 on.
  number int not null,
  client_id uuid not null references party,
  account text not null,
  amount bigint not null check (amount > 0),
  unique (batch_id, number),
  unique (batch_id, client_id)
);
create trigger payout_append_only before update or delete or truncate on payout
  for each statement execute function refuse_change();

-- The books beside those of the cases: double entry, debit above zero.
create table trust_transaction (
  id uuid primary key,
  kind text not null check (kind in ('suspense', 'suspenseAllocation', 'suspenseRefund', 'payout')),
  currency_code text not null,
  value_date date not null,
  booked_date date not null,
  suspense_id uuid references suspense,
  payout_id uuid unique references payout,
  check ((kind = 'payout') = (payout_id is not null)),
  check ((kind = 'payout') = (suspense_id is null)),
  unique (suspense_id, kind)
);
create table trust_entry (
  transaction_id uuid not null references trust_transaction,
  line int not null,
  account text not null check (account in ('bank', 'suspense', 'client')),
  -- Of the account `client`: on which case money was passed on.
  case_id uuid references debt_case,
  -- Minor units; debit above zero, credit below.
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, line),
  check ((account = 'client') = (case_id is not null))
);
create index trust_entry_case on trust_entry (case_id) where case_id is not null;
create function check_trust_entries() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct transaction_id as id from new_rows) n
    where (select sum(e.amount) from trust_entry e where e.transaction_id = n.id) <> 0
  ) then
    raise exception 'the entries of a transaction come together and sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger trust_entry_balanced after insert on trust_entry referencing new table as new_rows
  for each statement execute function check_trust_entries();
create trigger trust_transaction_append_only before update or delete or truncate on trust_transaction
  for each statement execute function refuse_change();
create trigger trust_entry_append_only before update or delete or truncate on trust_entry
  for each statement execute function refuse_change();

-- What of the money received on a case is its client's: all on principal and interest, and on costs as much as the client
-- registered with the case; costs above that are the agency's own. What went to a third party never came to us. In the
-- currency's minor units, of value dates up to the given day.
create function client_money(until date) returns table (case_id uuid, client_id uuid, currency_code text, received bigint,
  clients_share bigint, paid_out bigint) language sql stable as $$
  select c.id, c.client_id, c.currency_code, l.principal + l.interest + l.cost,
    l.principal + l.interest + least(l.cost, l.registered_cost), coalesce(p.paid_out, 0)
  from (
    select t.case_id,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:principal' and k.paying), 0)::bigint as principal,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:interest' and k.paying), 0)::bigint as interest,
      coalesce(-sum(e.amount) filter (where e.account = 'receivable:cost' and k.paying), 0)::bigint as cost,
      coalesce(-sum(e.amount) filter (where e.account = 'claim:cost'), 0)::bigint as registered_cost
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id,
      lateral (select t.kind in ('payment', 'creditUse') as paying) k
    where t.value_date <= until and (k.paying or e.account = 'claim:cost')
    group by t.case_id
  ) l join debt_case c on c.id = l.case_id
  left join (
    select e.case_id, sum(e.amount)::bigint as paid_out from trust_entry e join trust_transaction t on t.id = e.transaction_id
    where e.account = 'client' and t.value_date <= until group by e.case_id
  ) p on p.case_id = c.id
$$;
-- file: 019-reversals.sql
-- Money in suspense whose payment was reversed is there again, and may be allocated again.

-- Whether the bank took the money back; null where nobody was asked: of payments that stand, and reversals before this.
alter table payment add bounced boolean check (bounced is null or reversed_date is not null);

alter table trust_transaction drop constraint trust_transaction_kind_check,
  add constraint trust_transaction_kind_check
    check (kind in ('suspense', 'suspenseAllocation', 'suspenseReturn', 'suspenseRefund', 'payout')),
  drop constraint trust_transaction_suspense_id_kind_key;
create index trust_transaction_suspense on trust_transaction (suspense_id) where suspense_id is not null;
-- It comes once, and goes back to whoever sent it once.
create unique index trust_transaction_suspense_once on trust_transaction (suspense_id, kind)
  where kind in ('suspense', 'suspenseRefund');

create index suspense_payment on suspense (payment_id) where payment_id is not null;
-- file: 020-statistics.sql
-- No statement is planned by what these documents hold: ANALYZE need not fetch, unpack and sort a sample of them.
alter table audit_entry alter column changes set statistics 0, alter column data set statistics 0;
alter table job_run alter column payload set statistics 0, alter column result set statistics 0;
alter table document alter column data set statistics 0;
alter table message alter column body set statistics 0;
-- file: 021-functions-by-schema.sql
-- pg_dump and pg_restore work without a search path: a function that a generated column stands on must find the others
-- by their schema, else every row of the table is refused. Their bodies are those of 010 otherwise. SQL's own way, a search
-- path of each function, would keep PostgreSQL from writing them into the statement.
do $migration$
declare
  place text := quote_ident(current_schema());
begin
  execute format($sql$
    create or replace function compact_of(given text) returns text language sql immutable parallel safe as $$
      select regexp_replace(%1$s.fold_text(given), '[^0-9a-z]+', '', 'g')
    $$
  $sql$, place);
  execute format($sql$
    create or replace function search_lexemes(item_type int, first_line text, second_line text, keys text[])
    returns tsvector language plpgsql immutable parallel safe as $$
    begin
      return array_to_tsvector(array_remove(array_remove(
        %1$s.word_lexemes(item_type::text, %1$s.fold_text(first_line)) || keys || array[
          item_type::text || 'n:' || left(%1$s.fold_text(first_line), 200),
          item_type::text || 'r:' || left(%1$s.compact_of(second_line), 100)], item_type::text || 'w:'), null));
    end $$
  $sql$, place);
end
$migration$;
-- file: 022-balances-with-entries.sql
-- The amounts of a case are written together with its entries, in the one update of its row that a booking makes anyway,
-- and no longer by a second one behind it. Whoever writes entries without them is refused: after each statement the
-- amounts of its cases must be what all their entries up to the business date sum to.
create or replace function apply_entries() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if exists (
    select from (select transaction_id, sum(amount) as amount, count(*) as lines from new_rows group by 1) n
    where n.amount <> 0
      or n.lines <> (select count(*) from ledger_entry e where e.transaction_id = n.transaction_id)
  ) then
    raise exception 'the entries of a transaction come together and sum to zero' using errcode = 'check_violation';
  end if;
  if exists (
    select
    from (
      select distinct (select t.case_id from ledger_transaction t where t.id = n.transaction_id) as id
      from (select distinct transaction_id from new_rows) n
    ) touched
    join debt_case c on c.id = touched.id
    cross join lateral (
      select coalesce(sum(l.original_principal), 0) as original_principal,
        coalesce(sum(l.original_interest), 0) as original_interest, coalesce(sum(l.original_fee), 0) as original_fee,
        coalesce(sum(l.added_interest), 0) as added_interest, coalesce(sum(l.added_fee), 0) as added_fee,
        coalesce(sum(l.paid_principal), 0) as paid_principal, coalesce(sum(l.paid_interest), 0) as paid_interest,
        coalesce(sum(l.paid_fee), 0) as paid_fee, coalesce(sum(l.paid_to_third_party), 0) as paid_to_third_party,
        coalesce(sum(l.written_off_principal), 0) as written_off_principal,
        coalesce(sum(l.written_off_interest), 0) as written_off_interest,
        coalesce(sum(l.written_off_fee), 0) as written_off_fee, coalesce(sum(l.credit), 0) as credit
      from ledger_line l
      where l.case_id = c.id and l.value_date <= (select business_date from business_clock)
    ) s
    where (c.original_principal, c.original_interest, c.original_fee, c.added_interest, c.added_fee, c.paid_principal,
        c.paid_interest, c.paid_fee, c.paid_to_third_party, c.written_off_principal, c.written_off_interest,
        c.written_off_fee, c.credit)
      <> (s.original_principal, s.original_interest, s.original_fee, s.added_interest, s.added_fee, s.paid_principal,
        s.paid_interest, s.paid_fee, s.paid_to_third_party, s.written_off_principal, s.written_off_interest,
        s.written_off_fee, s.credit)
  ) then
    raise exception 'the amounts of a case are not what its entries sum to' using errcode = 'check_violation';
  end if;
  return null;
end $$;
drop function case_sums(uuid[]);
-- file: 023-schedules.sql
-- Commands that run by themselves, at the times of a cron expression in the system's time zone.
create table command_schedule (
  id uuid primary key,
  command text not null,
  argument text[] not null default '{}',
  cron text not null,
  description text,
  enabled boolean not null default true,
  -- None while it is off. Whichever node first finds it past asks for the job and writes the one after.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_job_id uuid,
  created_at timestamptz not null default now(),
  version int not null default 1,
  event_sequence bigint not null default 0
);
create index command_schedule_next on command_schedule (next_run_at);
-- file: 024-figures.sql
-- What /metrics counts every few seconds is counted from an index each, however much of the past a table keeps.
drop index job_run_live;
create index job_run_live on job_run (status, created_at) where status in ('waiting', 'running', 'failed');
create index message_unsent on message (channel, expires_at) include (created_at) where sent_at is null;
-- file: 025-what-waits.sql
-- What is due of a channel is looked for every second: letters that nobody prints are in nobody's way.
drop index message_due;
create index message_due on message (channel, next_try_at) where sent_at is null;
-- file: 026-entries-lighter.sql
-- What an entry of the audit trail costs beyond its row. The check: an expression over a row is read, made ready and asked
-- for each statement anew. One module writes entries (server/events), and a test sees half of an event.
alter table audit_entry drop constraint audit_entry_check;

-- The indexes by transaction, of which one does: that of the feed, without a condition, serves the seals too. Only where
-- a restore has settled entries (`feed_xid` 0) they are found by `xid`; a restore makes that index.
drop index audit_entry_feed;
create index audit_entry_feed on audit_entry (feed_xid, position);
do $$ begin
  if not exists (select from audit_entry where feed_xid = 0) then drop index audit_entry_xid; end if;
end $$;
-- file: 027-free-slot.sql
-- A change of a list takes a slot that no other transaction has, its own first, so that up to 32 wait for nobody. Until
-- now two backends of one number modulo 32 met, and the second waited for the end of the first one's transaction.
create function take_list_slot() returns int language plpgsql as $$
declare
  own int := pg_backend_pid() % 32;
begin
  for step in 0..31 loop
    if pg_try_advisory_xact_lock(7240032, (own + step) % 32) then
      return (own + step) % 32;
    end if;
  end loop;
  perform pg_advisory_xact_lock(7240032, own);
  return own;
end $$;

create or replace function count_list_change() returns trigger language plpgsql as $$
declare
  delta bigint := 0;
  taken int := take_list_slot();
begin
  if tg_op = 'INSERT' then
    select count(*) into delta from new_rows;
  elsif tg_op = 'DELETE' then
    select -count(*) into delta from old_rows;
  end if;
  update list_total set rows = rows + delta, changes = changes + 1 where entity = tg_table_name and slot = taken;
  return null;
end $$;

create or replace function touch_debtor_list() returns trigger language plpgsql as $$
declare
  taken int := take_list_slot();
begin
  update list_total set changes = changes + 1 where entity = 'debtor' and slot = taken;
  return null;
end $$;
