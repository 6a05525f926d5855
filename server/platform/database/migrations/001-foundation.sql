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
