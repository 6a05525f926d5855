-- Users, what they may do and see, sessions, second factors, single sign-on and password reset.
-- One-time secrets and tokens are stored only as SHA-256 hashes: a stolen copy of a table opens nothing.

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
  created_at timestamptz not null default now(),
  client_id uuid,
  client_secret_hash text,
  api_user boolean not null default false,
  country_format text,
  culture_code text,
  street text,
  house_no text,
  house_no_extension text,
  city text,
  state_code text,
  zip_code text,
  country_code text,
  phone_number text,
  cellular_phone_number text,
  pbx_phone_number text,
  employment_number text,
  department text,
  photo_image_type text,
  photo_image text,
  -- Identifies an imported user from run to run: the source and its own reference.
  source_reference text,
  -- Values of custom fields by field code.
  custom jsonb not null default '{}'
);
create unique index app_user_email on app_user (lower(email));
create unique index app_user_user_code on app_user (lower(user_code));
create unique index app_user_client_id on app_user (client_id);
create index app_user_full_name_order on app_user (full_name collate fordra_order nulls first, id);
create index app_user_party on app_user (party_id);
create unique index app_user_source_reference on app_user (source_reference);

-- A named set of access codes.
create table access_group (
  id uuid primary key,
  code text not null,
  name text not null,
  access_codes text[] not null,
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index access_group_code on access_group (lower(code));

create table user_access_group (
  user_id uuid not null references app_user,
  access_group_id uuid not null references access_group,
  primary key (user_id, access_group_id)
);
create index user_access_group_group on user_access_group (access_group_id);

-- The clients that a user is restricted to.
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

create table session (
  id uuid primary key,
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  ends_at timestamptz not null,
  revoked_at timestamptz,
  -- True until the user has enrolled the second factor that they must have.
  mfa_pending boolean not null default false,
  -- How the user signed in.
  how text not null default 'password' check (how in ('password', 'mfa', 'oauth2', 'oidc')),
  carried_by text not null default 'token' check (carried_by in ('token', 'cookie')),
  address text,
  user_agent text,
  scope text[]
);
create index session_by_user on session (user_id);
create index session_ends_at on session (ends_at);

create table session_token (
  hash bytea primary key,
  session_id uuid not null references session on delete cascade,
  kind text not null check (kind in ('access', 'refresh', 'cookie')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index session_token_session on session_token (session_id);

-- Failed sign-ins by hashed login and by address, shared by all nodes.
create table login_failure (
  key bytea primary key,
  failures int not null,
  counted_since timestamptz not null,
  blocks int not null default 0,
  blocked_until timestamptz
);

-- Seeds of authenticator apps: the active one, and one that is being enrolled. `last_step` is the latest time step used,
-- so that no code works twice. `sealed`: encrypted with FORDRA_SECRET_KEY.
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

-- A second-factor challenge: to sign in, to confirm a new channel, or to change the second factor.
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

-- A user has at most one identity per provider: an e-mail address that the provider gives to another person opens
-- nothing.
create table external_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references app_user,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- A single sign-on in progress. The row is deleted when the browser comes back.
create table oidc_attempt (
  state_hash bytea primary key,
  return_to text not null,
  expires_at timestamptz not null
);
create index oidc_attempt_expires_at on oidc_attempt (expires_at);

-- Logins typed into "forgot password". A background job looks them up, so that neither the response nor its time tells
-- whether the user exists. It deletes the row within seconds.
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
