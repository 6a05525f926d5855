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
