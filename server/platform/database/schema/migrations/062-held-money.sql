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

-- Inserts what the money held for the cases lacks, by its definition.
create function correct_held_money(cases uuid[]) returns void language sql as $$
  insert into held_money (id, case_id, client_id, currency_code, counts_from, amount)
  select gen_random_uuid(), c.id, c.client_id, c.currency_code,
    (select max(t.value_date) from ledger_transaction t where t.case_id = c.id), d.amount
  from debt_case c, lateral (
    select s.claimed + least(s.cost, s.registered_cost)
      - (select coalesce(sum(e.amount), 0) from trust_entry e where e.case_id = c.id and e.account = 'client')
      - (select coalesce(sum(h.amount), 0) from held_money h where h.case_id = c.id) as amount
    from (
      select
        coalesce(-sum(e.amount) filter (where k.paying and e.account in ('receivable:principal', 'receivable:interest')), 0) as claimed,
        coalesce(-sum(e.amount) filter (where k.paying and e.account = 'receivable:cost'), 0) as cost,
        coalesce(-sum(e.amount) filter (where e.account = 'claim:cost'), 0) as registered_cost
      from ledger_transaction t join ledger_entry e on e.transaction_id = t.id,
        lateral (select t.kind in ('payment', 'creditUse') as paying) k
      where t.case_id = c.id
    ) s
  ) d
  where c.id = any(cases) and d.amount <> 0
$$;

-- Programs before this migration go on booking while nodes are upgraded, and know nothing of the money held. Those that
-- write it say so for their transaction (`fordra.held_money`).
create function correct_held_after_entries() returns trigger language plpgsql as $$
begin
  if current_setting('fordra.held_money', true) is distinct from 'written' then
    perform correct_held_money(array(
      select distinct t.case_id from new_rows n join ledger_transaction t on t.id = n.transaction_id));
  end if;
  return null;
end $$;
create function correct_held_after_payouts() returns trigger language plpgsql as $$
begin
  if current_setting('fordra.held_money', true) is distinct from 'written' then
    perform correct_held_money(array(select distinct case_id from new_rows where account = 'client' and case_id is not null));
  end if;
  return null;
end $$;
-- | trigger | reason |
-- | ledger_entry_held | What an earlier program books is held for the client too. |
-- | trust_entry_held | What an earlier program pays out is no longer held. |
-- Before the rows below are written: from here on bookings wait until this migration has ended.
create trigger ledger_entry_held after insert on ledger_entry
  referencing new table as new_rows for each statement execute function correct_held_after_entries();
create trigger trust_entry_held after insert on trust_entry
  referencing new table as new_rows for each statement execute function correct_held_after_payouts();

insert into held_money (id, case_id, client_id, currency_code, counts_from, amount)
select gen_random_uuid(), m.case_id, m.client_id, m.currency_code,
  (select max(t.value_date) from ledger_transaction t where t.case_id = m.case_id), m.clients_share - m.paid_out
from client_money('infinity') m where m.clients_share <> m.paid_out;
