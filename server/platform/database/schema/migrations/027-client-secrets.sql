-- Secrets of API users. Several can work at once, so that a program can change to a new one without a gap.
create table client_secret (
  id uuid primary key,
  user_id uuid not null references app_user,
  -- `sha256:` and the hash in hexadecimal of a secret that the server made, which is too long to guess; argon2id of a
  -- chosen one.
  hash text not null,
  -- The first characters of a secret that the server made. Null for a chosen one.
  prefix text,
  created_at timestamptz not null default now(),
  ends_at timestamptz,
  last_used_at timestamptz
);
create index client_secret_user on client_secret (user_id);

insert into client_secret (id, user_id, hash, created_at)
select gen_random_uuid(), id, client_secret_hash, created_at from app_user where client_secret_hash is not null;

-- | add_chosen_secret | users are created with the hash of a chosen secret in their row, also by nodes of the release before |
create function add_chosen_secret() returns trigger language plpgsql as $$
begin
  insert into client_secret (id, user_id, hash) values (gen_random_uuid(), new.id, new.client_secret_hash);
  return null;
end $$;
create trigger add_chosen_secret after insert on app_user
  for each row when (new.client_secret_hash is not null) execute function add_chosen_secret();

-- Ending a secret ends the sessions that began with it.
alter table session add column client_secret_id uuid;
create index session_client_secret on session (client_secret_id) where client_secret_id is not null;
