-- Commands that run by themselves, at the times of a cron expression in the system's time zone.
create table command_schedule (
  id uuid primary key,
  command text not null,
  argument text[] not null default '{}',
  cron text not null,
  description text,
  enabled boolean not null default true,
  -- None while it is off. Whichever node first finds it past asks for the job and writes the one after.
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_job_id uuid,
  created_at timestamptz not null default now(),
  version int not null default 1,
  event_sequence bigint not null default 0
);
create index command_schedule_next on command_schedule (next_run_at);
