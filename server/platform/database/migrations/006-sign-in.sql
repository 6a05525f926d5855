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
