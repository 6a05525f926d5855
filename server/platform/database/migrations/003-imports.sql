-- What was imported: one row for each run, brought up to date in the transaction of each chunk.
create table import_run (
  id uuid primary key,
  -- What kind of records.
  what text not null,
  source text not null,
  file_name text not null,
  business_date date not null,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null while it runs, and for ever when it was ended suddenly.
  ended_at timestamptz,
  -- Whether it came to the end of its file.
  complete boolean not null default false,
  rows_read bigint not null default 0,
  inserted bigint not null default 0,
  already_there bigint not null default 0,
  rejected bigint not null default 0
) with (fillfactor = 50);
create index import_run_started_at on import_run (started_at);
