-- The other ways to lower a debt need a second person too (decision 0265).
alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'CREDIT_NOTE', 'PAYMENT', 'DEBT_RELIEF', 'BACKDATED_TERMS', 'BACKDATED_HOLD', 'TOLERANCE', 'CLIENT_TOLERANCE',
    'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT'));

alter table approval
  drop constraint approval_act_check,
  add constraint approval_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'CREDIT_NOTE', 'PAYMENT', 'DEBT_RELIEF', 'BACKDATED_TERMS', 'BACKDATED_HOLD', 'TOLERANCE', 'CLIENT_TOLERANCE',
    'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT')),
  add column debtor_id uuid references debtor on delete cascade,
  -- The cases that the act concerned when it was requested. Empty before this was stored.
  add column case_ids uuid[] not null default '{}',
  -- What the debtor pays at least by a plan that was requested, in minor units.
  add column least_paid bigint check (least_paid >= 0);
create index approval_debtor on approval (debtor_id) where debtor_id is not null;
