-- A payment entered by hand and dated back needs a second person beyond so many days (decision 0272).
alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'CREDIT_NOTE', 'PAYMENT', 'BACKDATED_PAYMENT', 'DEBT_RELIEF', 'BACKDATED_TERMS', 'BACKDATED_HOLD', 'TOLERANCE',
    'CLIENT_TOLERANCE', 'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT')),
  add column days_back integer check (days_back between 0 and 36500),
  add constraint approval_limit_days_back check ((days_back is not null) = (act = 'BACKDATED_PAYMENT')),
  add constraint approval_limit_days_alone check (days_back is null or currency_code is null);

alter table approval
  drop constraint approval_act_check,
  add constraint approval_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'CREDIT_NOTE', 'PAYMENT', 'BACKDATED_PAYMENT', 'DEBT_RELIEF', 'BACKDATED_TERMS', 'BACKDATED_HOLD', 'TOLERANCE',
    'CLIENT_TOLERANCE', 'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT'));
