-- Assistants that people connect: programs that registered, and sessions that a user allowed one of them. The kinds of
-- tokens are new: a node of an earlier version takes none of them for a refresh token of the API.
create table assistant_client (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null default now(),
  -- When a user last allowed it; null for one that nobody used.
  used_at timestamptz
);
create index assistant_client_unused on assistant_client (created_at) where used_at is null;

alter table session add column assistant_client_id uuid references assistant_client;
create index session_assistant_client on session (assistant_client_id) where assistant_client_id is not null;

alter table session_token
  drop constraint session_token_kind_check,
  add constraint session_token_kind_check check (
    kind in ('access', 'refresh', 'cookie', 'assistant', 'assistant-code', 'assistant-refresh'));

-- What an authorization code is bound to.
create table assistant_code (
  hash bytea primary key references session_token on delete cascade,
  redirect_uri text not null,
  challenge text not null
);
