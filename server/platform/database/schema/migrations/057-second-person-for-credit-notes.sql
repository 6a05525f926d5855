-- Credit notes on invoices need a second person too.
alter table approval_limit
  drop constraint approval_limit_act_check,
  add constraint approval_limit_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'CREDIT_NOTE', 'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT'));

alter table approval
  drop constraint approval_act_check,
  add constraint approval_act_check check (act in ('WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT',
    'CREDIT_NOTE', 'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT')),
  add column invoice_id uuid references invoice on delete cascade;
create index approval_invoice on approval (invoice_id) where invoice_id is not null;
