-- What a directory knows of the users and groups that it provisions by SCIM (RFC 7643). A user without a name of the
-- directory's is known to it by e-mail.
alter table app_user
  add column user_name text,
  add column external_id text,
  add column given_name text,
  add column family_name text,
  -- The directory created the user, who signs in by the provider: no password is sent by e-mail.
  add column provisioned boolean not null default false,
  -- The directory deleted the user, who stays disabled for the sake of the trail.
  add column deprovisioned boolean not null default false;
create unique index app_user_user_name on app_user (folded_login(coalesce(user_name, email)));
create index app_user_external_id on app_user (external_id) where external_id is not null;

alter table access_group add column external_id text;
create index access_group_external_id on access_group (external_id) where external_id is not null;

-- A directory sends the secret alone, as a bearer token.
create index client_secret_hash on client_secret (hash);
