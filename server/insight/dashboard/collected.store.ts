/** Collected amounts by month, read from the index on movements' value dates. */
import type { Collected } from '../../../contract/insight/dashboard.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { midnight, startOfMonth } from './months.ts'

interface Row {
  currencyCode: string
  month: string
  payments: number
  /** Minor units, as text. */
  amount: string
  toThirdParty: string
}

export async function readCollected(
  db: Db,
  caller: Caller,
  { today, months }: { today: string; months: number },
): Promise<Collected> {
  const from = startOfMonth(today, 1 - months)
  const scope = visibleCases(caller).at(3)
  const rows = await runStatement<Row>(
    db,
    `select c.currency_code as "currencyCode", date_trunc('month', m.value_date::timestamp)::date::text as month, count(*)::int as payments,
       sum(m.amount)::text as amount,
       coalesce(sum(m.amount) filter (where m.kind = 'thirdPartyPayment'), 0)::text as "toThirdParty"
     from movement m join debt_case c on c.id = m.case_id
     where m.value_date between $1::date and $2::date and m.kind in ('payment', 'thirdPartyPayment')
       and not exists (select from movement r where r.reverses_id = m.id and r.kind = 'reversal') and ${scope.text}
     group by 1, 2 order by 1, 2`,
    [from, today, ...scope.parameters],
    { prepare: true },
  )
  const value = rows.map(({ amount, toThirdParty, month, ...row }) => ({
    ...row,
    month: midnight(month),
    amount: fromMinor(BigInt(amount), row.currencyCode),
    toThirdParty: fromMinor(BigInt(toThirdParty), row.currencyCode),
  }))
  return { asOf: midnight(today), from: midnight(from), value }
}
