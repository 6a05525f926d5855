-- What every other subject uses: sort order, business clock, list totals, audit trail, idempotency, jobs, live settings.
-- Triggers and their functions are in 013-triggers.sql.

create extension if not exists pg_trgm;

-- The collation by which names are ordered everywhere. To use another alphabet, run
-- `alter database … set fordra.collation = 'nb-NO-x-icu'` before the first start.
do $$
begin
  execute format('create collation fordra_order from %I',
    coalesce(nullif(current_setting('fordra.collation', true), ''), 'sv-SE-x-icu'));
end $$;

-- The business date changes in one transaction together with everything that depends on it.
create table business_clock (
  singleton boolean primary key default true check (singleton),
  business_date date not null,
  system_date date,
  event_sequence bigint not null default 0
);

-- Row count and change counter of a list. They are spread over 32 slots so that concurrent writers seldom wait for each
-- other. `changes` rises in the same transaction as the rows: two snapshots with equal sums hold equal rows.
create table list_total (
  entity text not null,
  slot int not null,
  rows bigint not null default 0,
  changes bigint not null default 0,
  primary key (entity, slot)
) with (fillfactor = 20);
insert into list_total (entity, slot) select 'debtor', slot from generate_series(0, 31) slot;

-- The first response to a request with an Idempotency-Key, kept for 24 hours.
create table idempotency_key (
  caller_id uuid not null,
  key text not null,
  request_hash bytea not null,
  status int not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (caller_id, key)
);
create index idempotency_key_created_at on idempotency_key (created_at);

-- The audit trail, append-only. An entry with a `sequence` is also an event: it then has `id`, `type` and `data` too.
-- Entries without one, such as the end of a session, are published to nobody.
create table audit_entry (
  position bigint generated always as identity primary key,
  xid bigint not null default (pg_current_xact_id()::text::bigint),
  occurred_at timestamptz not null default now(),
  business_date date not null,
  actor_id uuid,
  request_id text,
  operation text not null,
  action text not null,
  entity text not null,
  entity_id uuid not null,
  subject uuid not null,
  changes jsonb not null,
  id uuid,
  type text,
  -- The version of the event type.
  version int not null default 1,
  sequence bigint,
  data jsonb,
  -- The event feed is read by transaction, then by position. A restore into another cluster restarts the transaction
  -- numbers: it sets `feed_xid` of the restored entries to 0. `xid`, which the seals cover, never changes.
  feed_xid bigint not null default (pg_current_xact_id()::text::bigint)
);
-- No sequence number twice per subject; also finds all entries of a subject.
create unique index audit_entry_subject on audit_entry (subject, sequence);
-- Serves the feed and the seals. A restore adds an index on `xid` for the entries whose `feed_xid` it set to 0.
create index audit_entry_feed on audit_entry (feed_xid, position);
-- No statement is planned by the contents of these documents, so ANALYZE need not sample them.
alter table audit_entry alter column changes set statistics 0, alter column data set statistics 0;

create view event as
  select position, id, type, version, occurred_at, subject, sequence, data, feed_xid as xid
  from audit_entry where sequence is not null;

-- The hash chain over the audit trail. A seal covers the entries above `after_position` with a transaction in
-- [from_xid, to_xid), all of which had ended. Its hash covers their hashes and the previous seal. `after_position`
-- starts a new era after a restore into another cluster, where transaction numbers start again.
create table audit_seal (
  number bigint primary key,
  after_position bigint not null,
  from_xid bigint not null,
  to_xid bigint not null,
  entries bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  -- Version 2 of the hash also covers the seal's own number and range.
  version int not null default 1
);

create function audit_digest(after_position bigint, from_xid bigint, to_xid bigint)
returns table (entries bigint, digest bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO, YMD' as $$
  select count(*), sha256(coalesce(string_agg(
    sha256(convert_to(jsonb_build_array(e.position, e.xid, e.occurred_at, e.business_date, e.actor_id, e.request_id,
      e.operation, e.action, e.entity, e.entity_id, e.subject, e.changes)::text, 'UTF8')), ''::bytea
    order by e.xid, e.position), ''::bytea))
  from audit_entry e
  where e.xid >= $2 and e.xid < $3 and e.position > $1
$$;

-- History of background jobs. Jobs still to be run are in the queue's own schema (graphile_worker); both are written in
-- one transaction.
create table job_run (
  id uuid primary key,
  kind text not null,
  -- The command, or the code of the service.
  name text not null,
  payload jsonb not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'completed', 'failed', 'cancelled')),
  attempts int not null default 0,
  attempts_max int not null,
  progress_done bigint,
  progress_total bigint,
  result jsonb,
  last_error text,
  asked_by uuid,
  request_id text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  -- The running attempt: an attempt that was given up for dead cannot overwrite its successor.
  attempt_id uuid,
  cancel_requested boolean not null default false,
  event_sequence int not null default 0,
  -- At most one job that has not ended has a given key, such as a command, or an hour of a schedule.
  unique_key text
);
create unique index job_run_unique_key on job_run (unique_key) where status in ('waiting', 'running');
create index job_run_created_at on job_run (created_at);
-- /metrics counts jobs from this index alone.
create index job_run_live on job_run (status, created_at) where status in ('waiting', 'running', 'failed');
alter table job_run alter column payload set statistics 0, alter column result set statistics 0;

-- Slots of schedules that a node has already queued, so that only one of several nodes queues each.
create table schedule_slot (
  schedule text not null,
  slot text not null,
  job_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (schedule, slot)
);

-- The steps of a business date's day-end. A step runs in chunks; its row is written in the transaction of each chunk.
create table day_end_step (
  business_date date not null,
  step text not null,
  -- The figures so far.
  result jsonb,
  ended_at timestamptz not null default now(),
  is_done boolean not null default true,
  -- Where the next chunk begins.
  place jsonb,
  -- The job that ran the last chunk; null for steps from before jobs were recorded.
  job_id uuid,
  primary key (business_date, step)
);

-- Settings that apply on every node and change while it runs.
create table live_setting (
  name text primary key,
  value jsonb not null,
  changed_at timestamptz not null default now()
);
