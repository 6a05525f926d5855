/**
 * Cases as of another business date. Interest since the last posting lies on a line (core/interest/interest.ts), so a new date
 * is one statement over all cases, without a join; those whose line ends before the date or begins after it, or with a
 * movement in between, are reckoned anew. The date may move back: the figures are then those of that date.
 */
import { deriveLedger } from '../../core/ledger/case-ledger.ts'
import { interestDenominator } from '../../core/interest/interest.ts'
import { rowParameters, updateOf } from '../platform/database/row-text.ts'
import { runStatement } from '../platform/database/statement.ts'
import type { Db } from '../platform/database/transaction.ts'
import { accrualColumns } from './booking.ts'
import { loadHistories, moneyLock } from './ledger.store.ts'
import { accrualTypes, balanceNames } from '../claims/money-rows.store.ts'

const chunkRows = 500

/** What the line of `debt_case c` amounts to on the day `$1`, rounded half up: the same as core's `accruedAt`. */
export const accruedOn = (day: string) =>
  `div(2 * (c.accrual_exact + c.accrual_per_day * (${day} - c.accrual_from)) + ${interestDenominator}, ${2n * interestDenominator})::bigint`

/** Brings every case to the new date. Nobody books meanwhile. */
export async function rollCases(tx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await tx`select pg_advisory_xact_lock(${moneyLock})`
  await runStatement(
    tx,
    `update debt_case c set accrued_interest = ${accruedOn('$1::date')}
     where c.accrual_per_day <> 0 and c.accrual_from <= $1::date and (c.accrual_until is null or c.accrual_until >= $1::date)
       and c.accrued_interest <> ${accruedOn('$1::date')}`,
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
  // Else each chunk would look through all of them.
  await tx`create index on rolled_case (id)`
  await tx`analyze rolled_case`
  await runStatement(tx, sumsAnew, [to])
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const ids = await tx<{ id: string }[]>`
      select distinct id from rolled_case where id > ${after} order by id limit ${chunkRows}`
    if (ids.length === 0) return
    await reckonAnew(
      tx,
      ids.map(({ id }) => id),
      to,
    )
    after = ids.at(-1)!.id
  }
}

/** The amounts of the moved cases from their entries up to the date. */
const sumsAnew = `
  update debt_case c set ${balanceNames.map((name) => `${name} = s.${name}`).join(', ')}
  from (
    select r.id, ${balanceNames.map((name) => `coalesce(sum(l.${name}), 0) as ${name}`).join(', ')}
    from (select distinct id from rolled_case where moved) r
    left join ledger_line l on l.case_id = r.id and l.value_date <= $1::date group by r.id
  ) s where c.id = s.id`

const reckonedTypes = { id: 'uuid', ...accrualTypes }
const reckonedText = updateOf('debt_case', reckonedTypes, 1)

async function reckonAnew(tx: Db, caseGuids: readonly string[], businessDate: string): Promise<void> {
  const histories = await loadHistories(tx, caseGuids, { withTransactions: false })
  const rows = histories.map(({ caseGuid, input }) => ({
    id: caseGuid,
    ...accrualColumns(deriveLedger(input, businessDate), { businessDate, input }),
  }))
  await runStatement(tx, reckonedText, rowParameters(reckonedTypes, rows), { prepare: true })
}
