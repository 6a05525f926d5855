-- Work in the background and its history, the day-end, settings that change while the service runs, and webhooks.

-- One row for each job somebody may ask about. What is to be run next is in the queue's own schema (graphile_worker);
-- the two are written in one transaction.
create table job_run (
  id uuid primary key,
  kind text not null,
  -- What it works on: the command, the code of a service.
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
  -- Of the attempt that is running: a run that was thought dead cannot write over the one after it.
  attempt_id uuid,
  cancel_requested boolean not null default false,
  event_sequence int not null default 0,
  -- At most one job that has not ended has a key: a command that runs already, an hour of a schedule.
  unique_key text
);
create unique index job_run_unique_key on job_run (unique_key) where status in ('waiting', 'running');
create index job_run_created_at on job_run (created_at);
create index job_run_live on job_run (status) where status in ('waiting', 'running');

-- The slots of schedules that have been asked for, so that of many nodes one asks.
create table schedule_slot (
  schedule text not null,
  slot text not null,
  job_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (schedule, slot)
);

-- The steps of a business date's end that are done, written in the transaction of the step.
create table day_end_step (
  business_date date not null,
  step text not null,
  result jsonb,
  ended_at timestamptz not null default now(),
  primary key (business_date, step)
);

-- Settings that hold on every node and change while it runs.
create table live_setting (
  name text primary key,
  value jsonb not null,
  changed_at timestamptz not null default now()
);

-- Events are read in the order in which their transactions could have ended: by transaction, then by position. In a
-- database restored into another cluster transaction numbers begin again: then `feed_xid` of what was there becomes 0,
-- while `xid`, which the seals cover, stays. It is the one column of an entry that can change.
alter table audit_entry add column feed_xid bigint not null default (pg_current_xact_id()::text::bigint);
drop trigger audit_entry_append_only on audit_entry;
update audit_entry set feed_xid = xid;
create trigger audit_entry_append_only before update of position, xid, occurred_at, business_date, actor_id, request_id,
  operation, action, entity, entity_id, subject, changes, id, type, version, sequence, data or delete or truncate
  on audit_entry for each statement execute function refuse_change();
create index audit_entry_feed on audit_entry (feed_xid, position) where sequence is not null;
drop view event;
create view event as
  select position, id, type, version, occurred_at, subject, sequence, data, feed_xid as xid
  from audit_entry where sequence is not null;

create table webhook (
  id uuid primary key,
  url text not null,
  description text,
  -- `debtor.*`, `payment.registered`; all when empty.
  types text[] not null,
  -- Encrypted under FORDRA_SECRET_KEY when `sealed`.
  secret bytea not null,
  sealed boolean not null,
  enabled boolean not null default true,
  paused_at timestamptz,
  paused_reason text,
  failures int not null default 0,
  -- Up to where events have been laid out for delivery.
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
  -- Order of arrival in the feed.
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
