-- What a user is told: one row for each user and act. Several events of one act are counted in its row. Records are named
-- without foreign keys, so that telling locks nothing but the row itself; a record that is deleted is shown without its name.
create table notification (
  id uuid not null default gen_random_uuid() primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('ASSIGNED', 'MENTION', 'APPROVAL_WAITING', 'APPROVED', 'REJECTED', 'JOB_DONE',
    'JOB_FAILED', 'PROMISE_DUE', 'PROMISE_BROKEN')),
  count integer not null default 1 check (count > 0),
  -- Null for several cases.
  case_id uuid,
  debtor_id uuid,
  -- Of the case or of the approval; users restricted to other clients do not see the row.
  client_id uuid,
  approval_id uuid,
  job_id uuid,
  -- The act to approve, or the job's name.
  name text,
  actor_id uuid,
  merge_key text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  unique (user_id, kind, merge_key)
);
create index notification_user on notification (user_id, created_at desc, id desc);
create index notification_unread on notification (user_id) where read_at is null;
create index notification_created on notification (created_at);
create index notification_approval on notification (approval_id) where approval_id is not null;
