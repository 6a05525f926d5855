-- Money in suspense whose payment was reversed is there again, and may be allocated again.

-- Whether the bank took the money back; null where nobody was asked: of payments that stand, and reversals before this.
alter table payment add bounced boolean check (bounced is null or reversed_date is not null);

alter table trust_transaction drop constraint trust_transaction_kind_check,
  add constraint trust_transaction_kind_check
    check (kind in ('suspense', 'suspenseAllocation', 'suspenseReturn', 'suspenseRefund', 'payout')),
  drop constraint trust_transaction_suspense_id_kind_key;
create index trust_transaction_suspense on trust_transaction (suspense_id) where suspense_id is not null;
-- It comes once, and goes back to whoever sent it once.
create unique index trust_transaction_suspense_once on trust_transaction (suspense_id, kind)
  where kind in ('suspense', 'suspenseRefund');

create index suspense_payment on suspense (payment_id) where payment_id is not null;
