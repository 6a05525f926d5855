/** What was paid of the cases of a month within some days of their registration, in one statement. */
import { recoveryAges, type Recovery } from '../../../contract/insight/recovery.ts'
import { visibleCases } from '../../claims/cases.scope.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { firstMonth, makeRecovery } from './recovery.rules.ts'

interface Row {
  currencyCode: string
  clientGuid: string
  clientName: string
  month: string
  cases: number
  /** Minor units, as text. */
  principal: string
  collected: string[]
}

/** Of each case at most its principal. */
const paidWithin = recoveryAges.map(
  (_, age) =>
    `least(k.principal, coalesce(sum(m.amount) filter (where m.value_date <= k.day + ($3::int[])[${age + 1}]), 0)) as within_${age}`,
)
const collected = recoveryAges.map((_, age) => `sum(w.within_${age})::text`)

export async function readRecovery(
  db: Db,
  caller: Caller,
  { today, months }: { today: string; months: number },
): Promise<Recovery> {
  const scope = visibleCases(caller).at(4)
  const rows = await runStatement<Row>(
    db,
    `with cohort as (
       select c.id, c.client_id, c.currency_code, c.registration_date as day, c.original_principal as principal
       from debt_case c
       where c.registration_date between $1::date and $2::date and c.original_principal > 0 and ${scope.text}
     ), within as (
       select k.client_id, k.currency_code, k.day, k.principal, ${paidWithin.join(', ')}
       from cohort k left join movement m on m.case_id = k.id and m.kind in ('payment', 'thirdPartyPayment')
         and not exists (select from movement r where r.reverses_id = m.id and r.kind = 'reversal')
       group by k.id, k.client_id, k.currency_code, k.day, k.principal
     )
     select w.currency_code as "currencyCode", w.client_id as "clientGuid", p.name as "clientName",
       date_trunc('month', w.day::timestamp)::date::text as month, count(*)::int as cases,
       sum(w.principal)::text as principal, array[${collected.join(', ')}] as collected
     from within w join party p on p.id = w.client_id group by 1, 2, 3, 4 order by 1, 4, 2`,
    [firstMonth(today, months), today, [...recoveryAges], ...scope.parameters],
    { prepare: true },
  )
  const counted = rows.map((row) => ({
    ...row,
    principal: BigInt(row.principal),
    collected: row.collected.map(BigInt),
  }))
  return makeRecovery(counted, { today, months })
}
