/** SQL for promises to pay, of calls `k` (docs/domain/work.md). */

/** What was paid on the case for the promise, in minor units. A reversed payment does not count. */
const paid = `(select coalesce(sum(m.amount), 0) from movement m
    where m.case_id = k.case_id and m.kind in ('payment', 'thirdPartyPayment') and m.number > k.movements_before
      and m.value_date <= k.promised_date and not exists (select from movement r where r.reverses_id = m.id))`

const isReplaced = `exists (select from phone_call later where later.case_id = k.case_id and later.id > k.id
    and later.promised_date is not null and later.business_date <= k.promised_date)`

/** Null for a call without a promise. */
export const promiseStatus = `(case when k.promised_date is null then null
    when ${paid} >= k.promised_amount then 'KEPT' when ${isReplaced} then 'REPLACED'
    when k.promised_date < (select business_date from business_clock) then 'BROKEN' else 'OPEN' end)`
