-- The amounts of a case are written together with its entries, in the one update of its row that a booking makes anyway,
-- and no longer by a second one behind it. Whoever writes entries without them is refused: after each statement the
-- amounts of its cases must be what all their entries up to the business date sum to.
create or replace function apply_entries() returns trigger language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if exists (
    select from (select transaction_id, sum(amount) as amount, count(*) as lines from new_rows group by 1) n
    where n.amount <> 0
      or n.lines <> (select count(*) from ledger_entry e where e.transaction_id = n.transaction_id)
  ) then
    raise exception 'the entries of a transaction come together and sum to zero' using errcode = 'check_violation';
  end if;
  if exists (
    select
    from (
      select distinct (select t.case_id from ledger_transaction t where t.id = n.transaction_id) as id
      from (select distinct transaction_id from new_rows) n
    ) touched
    join debt_case c on c.id = touched.id
    cross join lateral (
      select coalesce(sum(l.original_principal), 0) as original_principal,
        coalesce(sum(l.original_interest), 0) as original_interest, coalesce(sum(l.original_fee), 0) as original_fee,
        coalesce(sum(l.added_interest), 0) as added_interest, coalesce(sum(l.added_fee), 0) as added_fee,
        coalesce(sum(l.paid_principal), 0) as paid_principal, coalesce(sum(l.paid_interest), 0) as paid_interest,
        coalesce(sum(l.paid_fee), 0) as paid_fee, coalesce(sum(l.paid_to_third_party), 0) as paid_to_third_party,
        coalesce(sum(l.written_off_principal), 0) as written_off_principal,
        coalesce(sum(l.written_off_interest), 0) as written_off_interest,
        coalesce(sum(l.written_off_fee), 0) as written_off_fee, coalesce(sum(l.credit), 0) as credit
      from ledger_line l
      where l.case_id = c.id and l.value_date <= (select business_date from business_clock)
    ) s
    where (c.original_principal, c.original_interest, c.original_fee, c.added_interest, c.added_fee, c.paid_principal,
        c.paid_interest, c.paid_fee, c.paid_to_third_party, c.written_off_principal, c.written_off_interest,
        c.written_off_fee, c.credit)
      <> (s.original_principal, s.original_interest, s.original_fee, s.added_interest, s.added_fee, s.paid_principal,
        s.paid_interest, s.paid_fee, s.paid_to_third_party, s.written_off_principal, s.written_off_interest,
        s.written_off_fee, s.credit)
  ) then
    raise exception 'the amounts of a case are not what its entries sum to' using errcode = 'check_violation';
  end if;
  return null;
end $$;
drop function case_sums(uuid[]);
