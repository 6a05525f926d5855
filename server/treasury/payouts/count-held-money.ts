/** Adds the money held for clients to the totals of each client, so that few rows are left to be summed at a look. */
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'

/** Advisory lock: two payouts at the same time would pay the same money twice, and a count would miss what is removed. */
export const payoutLock = 0x5041594f

/** So many cases with money that is not counted yet are left for the look itself. */
const uncountedMax = 100
/** Cases. A larger count would keep payouts waiting. */
const countedAtOnce = 2000

/** Counts while more cases than a look should sum are not counted. Another node may be at it: then nothing is done. */
export async function countHeldMoney(sql: Sql): Promise<void> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from (select from held_money where not counted limit ${uncountedMax + 1}) uncounted`
  if (row!.waiting > uncountedMax) await countNow(sql)
}

/** Each case has one row afterwards, or none where its money sums to nothing. */
export const countNow = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    const [lock] = await tx<{ free: boolean }[]>`select pg_try_advisory_xact_lock(${payoutLock}) as free`
    if (!lock!.free) return
    await tx`
      with due as (
        select case_id from held_money where not counted group by case_id order by case_id limit ${countedAtOnce}
      ), taken as (
        delete from held_money h using due where h.case_id = due.case_id
        returning h.case_id, h.client_id, h.currency_code, h.counts_from, h.amount, h.counted
      ), merged as (
        select case_id, client_id, currency_code, max(counts_from) as counts_from, sum(amount) as amount,
          coalesce(sum(amount) filter (where counted), 0) as known
        from taken group by case_id, client_id, currency_code
      ), kept as (
        insert into held_money (id, case_id, client_id, currency_code, counts_from, amount, counted)
        select gen_random_uuid(), case_id, client_id, currency_code, counts_from, amount, true
        from merged where amount <> 0
      ), change as (
        select client_id, currency_code, sum(amount - known) as amount,
          sum((amount <> 0)::int - (known <> 0)::int) as cases, max(counts_from) as counts_from
        from merged group by client_id, currency_code
      ), changed as (
        update held_total t set amount = t.amount + c.amount, cases = t.cases + c.cases,
          counts_from = greatest(t.counts_from, c.counts_from)
        from change c where t.client_id = c.client_id and t.currency_code = c.currency_code
        returning t.client_id, t.currency_code
      )
      insert into held_total (client_id, currency_code, amount, cases, counts_from)
      select client_id, currency_code, amount, cases, counts_from from change c
      where not exists (
        select from changed d where d.client_id = c.client_id and d.currency_code = c.currency_code)`
  })
