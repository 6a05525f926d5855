-- Passkeys (WebAuthn) of users: credentials whose private keys never leave the authenticator. `counter` is the highest
-- signature counter seen; a lower one comes from a copy.
create table passkey (
  id uuid primary key,
  user_id uuid not null references app_user,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkey_user on passkey (user_id);
