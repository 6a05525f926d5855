-- Saved dashboards. One without a user is the agency's, shared with roles and access groups (decision 0287).
create table dashboard (
  id uuid primary key,
  name text not null,
  tiles text[] not null check (cardinality(tiles) > 0),
  months integer not null check (months between 3 and 35),
  client_id uuid references party (id),
  user_id uuid references app_user (id),
  version integer not null default 1,
  event_sequence bigint not null default 1
);
create unique index dashboard_name on dashboard (user_id, lower(name)) nulls not distinct;
create index dashboard_client on dashboard (client_id) where client_id is not null;

create table dashboard_role (
  dashboard_id uuid not null references dashboard (id) on delete cascade,
  user_role integer not null check (user_role between 1 and 14),
  is_default boolean not null,
  primary key (dashboard_id, user_role)
);
-- A role sees one dashboard first.
create unique index dashboard_role_default on dashboard_role (user_role) where is_default;

create table dashboard_group (
  dashboard_id uuid not null references dashboard (id) on delete cascade,
  access_group_id uuid not null references access_group (id) on delete cascade,
  primary key (dashboard_id, access_group_id)
);
create index dashboard_group_group on dashboard_group (access_group_id);
