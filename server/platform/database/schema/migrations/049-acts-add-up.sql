-- Credits of objections and corrections of reviews need a second person too, and acts of one kind add up.
alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT')),
  -- Acts of so many days count together. Null where acts do not add up; without a currency nothing is done alone.
  add column period_days int check (period_days between 1 and 366),
  -- What one user may do alone within the period, on all cases. Null: the amount.
  add column user_amount bigint check (user_amount >= amount);
update approval_limit set period_days = 30
where currency_code is not null and act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND');
alter table approval_limit
  add check (user_amount is null or period_days is not null),
  add check (period_days is null or (currency_code is not null and act not in ('CLIENT_ACCOUNT', 'PAYOUT')));

alter table approval
  drop constraint approval_act_check,
  add constraint approval_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT')),
  add column objection_id uuid references objection on delete cascade;
create index approval_objection on approval (objection_id) where objection_id is not null;

-- What users did without a second person: their sums are limited. An act on several cases has a row for each.
create table lone_act (
  id bigint generated always as identity primary key,
  act text not null,
  case_id uuid not null references debt_case,
  user_id uuid not null,
  currency_code text not null,
  amount bigint not null check (amount > 0),
  minor_per_unit int not null check (minor_per_unit > 0),
  done_on date not null
);
create index lone_act_case on lone_act (case_id, act, done_on);
create index lone_act_user on lone_act (user_id, act, done_on);
create index lone_act_done on lone_act (done_on);
