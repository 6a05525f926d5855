-- The money held for clients: what each booking adds to a client's share of the collected money, until it is paid out. A
-- payout removes its rows, so that the table is as small as what is not paid out; the whole ledger was summed each time.
create table held_money (
  id uuid primary key,
  case_id uuid not null,
  client_id uuid not null,
  currency_code text not null,
  -- The latest value date of what it is computed from.
  counts_from date not null,
  amount bigint not null check (amount <> 0),
  foreign key (case_id, client_id) references debt_case (id, client_id)
);
create index held_money_case on held_money (case_id);

insert into held_money (id, case_id, client_id, currency_code, counts_from, amount)
select gen_random_uuid(), m.case_id, m.client_id, m.currency_code,
  (select max(t.value_date) from ledger_transaction t where t.case_id = m.case_id), m.clients_share - m.paid_out
from client_money('infinity') m where m.clients_share <> m.paid_out;
