-- The case handlers' queue. Its items are derived from what happened (server/work/work-reasons.ts); stored are only the
-- owner of a case, its next action, and which items somebody has dealt with.

-- The team keeps a case that one of its members has taken, so that the case returns to the team.
alter table debt_case
  add column owner_user_id uuid references app_user (id) on delete set null,
  add column owner_group_id uuid references access_group (id) on delete set null,
  add column next_action text,
  add column next_action_date date,
  add constraint debt_case_next_action check (next_action is null or next_action_date is not null);
create index debt_case_owner_user on debt_case (owner_user_id) where owner_user_id is not null;
create index debt_case_owner_group on debt_case (owner_group_id) where owner_group_id is not null;
create index debt_case_next_action_date on debt_case (next_action_date) where next_action_date is not null;

create index payment_plan_breached on payment_plan (id) where end_reason = 'BREACHED';

-- An item of work is a case, a reason and a date. If the reason arises again on another date, it is work again.
create table work_done (
  case_id uuid not null references debt_case (id) on delete cascade,
  reason text not null,
  due_date date not null,
  done_date date not null,
  done_by uuid references app_user (id) on delete set null,
  primary key (case_id, reason, due_date)
);
create index work_done_by on work_done (done_by) where done_by is not null;
