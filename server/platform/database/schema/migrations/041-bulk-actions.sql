-- Actions on all rows of a list, and the rows that matched when the action was confirmed.
create table bulk_action (
  id uuid primary key,
  list text not null check (list in ('cases', 'work', 'clients')),
  action text not null,
  filter text,
  input jsonb not null,
  expected int not null,
  asked_by uuid not null,
  -- The scope of the caller's token, if it was narrowed.
  scope text[],
  job_id uuid not null,
  is_undo boolean not null default false,
  letters_leave_at timestamptz,
  created_at timestamptz not null default now()
);
create index bulk_action_asked_by on bulk_action (asked_by, created_at);
create index bulk_action_created_at on bulk_action (created_at);

create table bulk_action_row (
  action_id uuid not null references bulk_action (id) on delete cascade,
  number int not null,
  subject_id uuid not null,
  -- An item of work: its key in the queue.
  item_id text,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'undone')),
  reason text,
  -- The call that undoes the row, and what must not have changed since.
  undo jsonb,
  primary key (action_id, number)
);
