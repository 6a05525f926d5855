/** Promises to pay by month, read from the index on promised dates. */
import type { PromisePerformance } from '../../../contract/insight/promise-performance.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visiblePromises } from '../../work/calls.scope.ts'
import { promiseStatus } from '../../work/promises.ts'
import { midnight, startOfMonth } from './months.ts'

interface Row {
  currencyCode: string
  month: string
  promises: number
  kept: number
  broken: number
  open: number
  /** Minor units, as text. */
  amount: string
  keptAmount: string
}

/** Promises that a later one replaced are left out: the later one counts. */
export async function readPromisePerformance(
  db: Db,
  caller: Caller,
  { today, months }: { today: string; months: number },
): Promise<PromisePerformance> {
  const [from, before] = [startOfMonth(today, 1 - months), startOfMonth(today, 1)]
  const scope = visiblePromises(caller).at(3)
  const rows = await runStatement<Row>(
    db,
    `select p.currency_code as "currencyCode", date_trunc('month', p.promised_date::timestamp)::date::text as month,
       count(*)::int as promises, count(*) filter (where p.status = 'KEPT')::int as kept,
       count(*) filter (where p.status = 'BROKEN')::int as broken,
       count(*) filter (where p.status = 'OPEN')::int as open, sum(p.promised_amount)::text as amount,
       coalesce(sum(p.promised_amount) filter (where p.status = 'KEPT'), 0)::text as "keptAmount"
     from (
       select c.currency_code, k.promised_date, k.promised_amount, ${promiseStatus} as status
       from phone_call k join debt_case c on c.id = k.case_id
       where k.promised_date >= $1::date and k.promised_date < $2::date and ${scope.text}
       offset 0
     ) p where p.status <> 'REPLACED' group by 1, 2 order by 1, 2`,
    [from, before, ...scope.parameters],
    { prepare: true },
  )
  const value = rows.map(({ amount, keptAmount, month, ...row }) => ({
    ...row,
    month: midnight(month),
    amount: fromMinor(BigInt(amount), row.currencyCode),
    keptAmount: fromMinor(BigInt(keptAmount), row.currencyCode),
  }))
  return { asOf: midnight(today), from: midnight(from), value }
}
