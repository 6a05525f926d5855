-- A bank file whose sum needs a second person, as its sender sent it. Deleted when it is booked, when its request is
-- decided, or after 30 days.
create table held_payment_file (
  id uuid not null primary key,
  file_name text,
  sha256 bytea not null,
  content bytea not null,
  held_at timestamptz not null default now(),
  held_by uuid not null references app_user (id) on delete cascade
);
create index held_payment_file_sha256 on held_payment_file (sha256);
create index held_payment_file_held_by on held_payment_file (held_by);

-- A bank file is of no single case, but adds up for its sender.
alter table lone_act alter column case_id drop not null;

alter table approval drop constraint approval_act_check;
alter table approval add constraint approval_act_check check (act in (
  'WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT', 'CREDIT_NOTE', 'PAYMENT', 'BACKDATED_PAYMENT', 'DEBT_RELIEF',
  'BACKDATED_TERMS', 'BACKDATED_HOLD', 'TOLERANCE', 'CLIENT_TOLERANCE', 'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT', 'BANK_FILE'));
alter table approval_limit drop constraint approval_limit_act_check;
alter table approval_limit add constraint approval_limit_act_check check (act in (
  'WRITE_OFF', 'FEE_OVERRIDE', 'REFUND', 'OBJECTION_CREDIT', 'CREDIT_NOTE', 'PAYMENT', 'BACKDATED_PAYMENT', 'DEBT_RELIEF',
  'BACKDATED_TERMS', 'BACKDATED_HOLD', 'TOLERANCE', 'CLIENT_TOLERANCE', 'LAW_CORRECTION', 'CLIENT_ACCOUNT', 'PAYOUT', 'BANK_FILE'));
create index approval_held_file on approval ((request ->> 'heldFileGuid')) where act = 'BANK_FILE';
