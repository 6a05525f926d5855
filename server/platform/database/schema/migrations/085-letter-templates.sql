-- Templates of letters that administrators write (decision 0321). A version is what letters were written with: it never changes.
create table letter_template (
  id uuid primary key,
  kind text not null check (kind in ('statement', 'reminder', 'notice', 'demand', 'legal', 'surveillance', 'plan')),
  language text not null,
  -- Null for all clients.
  client_id uuid references party,
  draft text not null,
  draft_by uuid references app_user,
  draft_at timestamptz not null default now(),
  -- The number of the version in force. Null while letters have the shipped text.
  version_in_force int,
  version int not null default 1,
  event_sequence bigint not null default 1
);
create unique index letter_template_place on letter_template (kind, language, client_id) nulls not distinct;
create index letter_template_client on letter_template (client_id) where client_id is not null;

create table letter_template_version (
  id uuid primary key,
  template_id uuid not null references letter_template,
  number int not null,
  source text not null,
  note text,
  published_by uuid references app_user,
  published_at timestamptz not null default now(),
  unique (template_id, number)
);

create function guard_letter_template_version() returns trigger language plpgsql as $$
begin
  raise exception 'a published version of a letter template does not change' using errcode = 'restrict_violation';
end $$;
-- | letter_template_version_unchanged | Letters were written with the version.                          |
create trigger letter_template_version_unchanged before update or delete on letter_template_version
  for each row execute function guard_letter_template_version();
