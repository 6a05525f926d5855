-- The days of a year in interest: by the law of the case's governing country, or by the client's contract.

-- True makes the next start repeat what follows the business date, though the date has not changed.
alter table business_clock add column steps_due boolean not null default false;

alter table party
  add column interest_day_count text check (interest_day_count in ('ACTUAL_365', 'ACTUAL_ACTUAL'));

-- A list of parts, each from a day on (`from`; null: from the beginning) with a `basis` or the `country` whose law names
-- it. Null: the law of the governing country.
alter table debt_case add column day_count jsonb;

-- Accrued interest is now counted in 13,359,000,000,000ths of a minor unit (core/interest/interest.ts): 366 times finer.
update debt_case set accrual_exact = accrual_exact * 366, accrual_per_day = accrual_per_day * 366
where accrual_exact <> 0 or accrual_per_day <> 0;

-- Booked interest of Norwegian cases keeps the 365 days that it was reckoned by. Later interest follows the law.
update debt_case c
set day_count = jsonb_build_array(
  jsonb_build_object('from', null, 'basis', 'actual/365'),
  jsonb_build_object('from', to_char(booked.until + 1, 'YYYY-MM-DD'), 'country', 'NO'))
from (
  select t.case_id, max(t.value_date) as until
  from ledger_transaction t
  where t.kind = 'interest' and t.reverses_id is null
    and not exists (select from ledger_transaction r where r.reverses_id = t.id)
  group by t.case_id
) booked
where booked.case_id = c.id and c.governing_country = 'NO';

-- The next start reckons their accrued interest again.
with reset as (
  update debt_case
  set accrual_from = null, accrual_exact = 0, accrual_per_day = 0, accrual_until = null
  where governing_country = 'NO' and accrual_from is not null and (accrual_exact <> 0 or accrual_per_day <> 0)
  returning 1
)
update business_clock set steps_due = true where exists (select from reset);
