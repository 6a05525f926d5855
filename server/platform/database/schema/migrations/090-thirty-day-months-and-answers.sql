-- Iceland reckons interest by months of 30 days in a year of 360 (core/interest/day-count.ts). Letters answer objections (below).

-- Booked interest of Icelandic cases keeps the 365 days that it was reckoned by. Later interest follows the law.
update debt_case c
set day_count = jsonb_build_array(
  jsonb_build_object('from', null, 'basis', 'actual/365'),
  jsonb_build_object('from', to_char(booked.until + 1, 'YYYY-MM-DD'), 'country', 'IS'))
from (
  select t.case_id, max(t.value_date) as until
  from ledger_transaction t join debt_case i on i.id = t.case_id
  where i.governing_country = 'IS' and t.kind = 'interest' and t.reverses_id is null
    and not exists (select from ledger_transaction r where r.reverses_id = t.id)
  group by t.case_id
) booked
where booked.case_id = c.id and c.day_count is null;

-- The next start reckons their accrued interest again.
with reset as (
  update debt_case
  set accrual_from = null, accrual_exact = 0, accrual_per_day = 0, accrual_until = null
  where governing_country = 'IS' and accrual_from is not null and (accrual_exact <> 0 or accrual_per_day <> 0)
  returning 1
)
update business_clock set steps_due = true where exists (select from reset);

-- Letters that answer an objection, a complaint or hardship.
alter table document
  drop constraint document_kind_check,
  add constraint document_kind_check
    check (kind in ('statement', 'reminder', 'notice', 'demand', 'legal', 'surveillance', 'plan', 'answer'));
