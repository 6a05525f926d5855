/**
 * Moves all cases to another business date. Interest accrues linearly since the last posting
 * (core/interest/interest.ts), so one statement without a join updates most cases.
 * A case is derived again when its accrual line does not cover the new date, or when a movement lies between
 * the two dates. The date may also move back; the figures are then those of the earlier date.
 */
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import { rowParameters, updateFrom } from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { accrualColumns } from './booking.ts'
import { loadHistories, bookingLock } from './ledger.store.ts'
import { keptDenominator } from './stored-interest.ts'
import { accrualTypes, balanceNames } from '../claims/money-rows.store.ts'

const chunkRows = 500

/** Interest accrued on `debt_case c` by `day`, in minor units, rounded half up as in core's `accruedAt`. */
export const accruedInterestSql = (day: string) =>
  `div(2 * (c.accrual_exact + c.accrual_per_day * (${day} - c.accrual_from)) + ${keptDenominator}, ${2n * keptDenominator})::bigint`

/** Moves every case to the new business date. The exclusive lock keeps bookings out meanwhile. */
export async function rollCases(tx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await tx`select pg_advisory_xact_lock(${bookingLock})`
  await runStatement(
    tx,
    `update debt_case c set accrued_interest = ${accruedInterestSql('$1::date')}
     where c.accrual_per_day <> 0 and c.accrual_from <= $1::date and (c.accrual_until is null or c.accrual_until >= $1::date)
       and c.accrued_interest <> ${accruedInterestSql('$1::date')}`,
    [to],
  )
  const [first, last] = from < to ? [from, to] : [to, from]
  await tx`drop table if exists rolled_case`
  await tx.unsafe(
    `create temporary table rolled_case on commit drop as
       select case_id as id, true as moved from movement where value_date > $$${first}$$ and value_date <= $$${last}$$
       union select id, true from debt_case where registration_date > $$${first}$$ and registration_date <= $$${last}$$
       union select c.id, false from debt_case c
         where c.accrual_from > $$${to}$$ or c.accrual_until < $$${to}$$ or (c.accrual_from is null and c.registration_date <= $$${to}$$)`,
  )
  // Without the index each chunk would scan the whole table.
  await tx`create index on rolled_case (id)`
  await tx`analyze rolled_case`
  await runStatement(tx, sumBalancesText, [to])
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const ids = await tx<{ id: string }[]>`
      select distinct id from rolled_case where id > ${after} order by id limit ${chunkRows}`
    if (ids.length === 0) return
    await updateAccruals(
      tx,
      ids.map(({ id }) => id),
      to,
    )
    after = ids.at(-1)!.id
  }
}

/** Sums the balances of the moved cases again, from their entries up to the date. */
const sumBalancesText = `
  update debt_case c set ${balanceNames.map((name) => `${name} = s.${name}`).join(', ')}
  from (
    select r.id, ${balanceNames.map((name) => `coalesce(sum(l.${name}), 0) as ${name}`).join(', ')}
    from (select distinct id from rolled_case where moved) r
    left join ledger_line l on l.case_id = r.id and l.value_date <= $1::date group by r.id
  ) s where c.id = s.id`

const updatedTypes = { id: 'uuid', ...accrualTypes }
const updateText = updateFrom('debt_case', updatedTypes, 1)

async function updateAccruals(tx: Db, caseGuids: readonly string[], businessDate: string): Promise<void> {
  const histories = await loadHistories(tx, caseGuids, { withTransactions: false })
  const rows = histories.map(({ caseGuid, input }) => ({
    id: caseGuid,
    ...accrualColumns(deriveLedger(input, businessDate), { businessDate, input }),
  }))
  await runStatement(tx, updateText, rowParameters(updatedTypes, rows), { prepare: true })
}
