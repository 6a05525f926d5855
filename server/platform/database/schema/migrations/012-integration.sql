-- Imports, uploaded files, webhooks and command schedules.

-- One row per import, updated in the transaction of each chunk.
create table import_run (
  id uuid primary key,
  -- The kind of records.
  what text not null,
  source text not null,
  file_name text not null,
  business_date date not null,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null while it runs, and for ever if the process died.
  ended_at timestamptz,
  -- True if it reached the end of its file.
  complete boolean not null default false,
  rows_read bigint not null default 0,
  inserted bigint not null default 0,
  already_there bigint not null default 0,
  rejected bigint not null default 0
) with (fillfactor = 50);
create index import_run_started_at on import_run (started_at);

-- Files uploaded for import, kept in the database so that any node can import them. The content is deleted after the
-- import; the report of rejected rows stays as long as the row.
create table uploaded_file (
  id uuid primary key,
  what text not null,
  source text not null,
  file_name text not null,
  -- How to read it: delimiter, encoding, mappings, duplicates.
  options jsonb not null default '{}',
  bytes bigint not null default 0,
  -- True once the upload is complete.
  is_whole boolean not null default false,
  -- The last job that imported it.
  job_id uuid,
  imported_at timestamptz,
  has_rejected boolean not null default false,
  uploaded_by uuid,
  created_at timestamptz not null default now()
);
create index uploaded_file_created_at on uploaded_file (created_at);
create table uploaded_part (
  file_id uuid not null references uploaded_file on delete cascade,
  kind text not null check (kind in ('content', 'rejected')),
  number int not null,
  content bytea not null,
  primary key (file_id, kind, number)
);
-- Stored without compression.
alter table uploaded_part alter column content set storage external;

create table webhook (
  id uuid primary key,
  url text not null,
  description text,
  -- Such as `debtor.*` or `payment.registered`; empty means all.
  types text[] not null,
  -- Encrypted with FORDRA_SECRET_KEY if `sealed`.
  secret bytea not null,
  sealed boolean not null,
  enabled boolean not null default true,
  paused_at timestamptz,
  paused_reason text,
  failures int not null default 0,
  -- Events up to here have been queued for delivery.
  after_xid bigint not null,
  after_position bigint not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  version int not null default 1,
  event_sequence int not null default 0
);

create table webhook_delivery (
  id uuid primary key,
  webhook_id uuid not null references webhook on delete cascade,
  position bigint not null,
  event_id uuid not null,
  type text not null,
  subject uuid not null,
  sequence bigint not null,
  -- The order of arrival in the feed.
  number bigint generated always as identity,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  next_try_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  response_status int,
  milliseconds int,
  last_error text
);
create index webhook_delivery_waiting on webhook_delivery (webhook_id, number) where status = 'waiting';
create index webhook_delivery_subject on webhook_delivery (webhook_id, subject, number) where status = 'waiting';
create index webhook_delivery_log on webhook_delivery (webhook_id, number);
create index webhook_delivery_created_at on webhook_delivery (created_at);

-- Commands that run by themselves, at the times of a cron expression in the system's time zone.
create table command_schedule (
  id uuid primary key,
  command text not null,
  argument text[] not null default '{}',
  cron text not null,
  description text,
  enabled boolean not null default true,
  -- Null while disabled. The first node that finds it past queues the job and sets the next time.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_job_id uuid,
  created_at timestamptz not null default now(),
  version int not null default 1,
  event_sequence bigint not null default 0
);
create index command_schedule_next on command_schedule (next_run_at);
