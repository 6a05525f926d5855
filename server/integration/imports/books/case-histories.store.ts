/** What the import of case histories reads and writes besides rows of money. */
import { rowParameters, rowsFrom } from '../../../platform/database/row-text.ts'
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import type { HistoryExtras } from './build-history.ts'

/** Takes running numbers of cases and returns the first one. */
export async function takeNumbers(tx: Db, count: number): Promise<number> {
  const [row] = await tx<{ last: number }[]>`
    update case_counter set last_number = last_number + ${count} returning last_number as last`
  return row!.last - count + 1
}

/** The payments by source reference. */
export async function findPayments(tx: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ key: string; id: string }[]>`
    select source_reference as key, id from payment where source_reference = any(${[...keys]}::text[])`
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** The references of payers of debtors' payments that stand, each behind its debtor. */
export async function findPayers(tx: Db, debtorGuids: readonly string[]): Promise<Set<string>> {
  const rows = await tx<{ payer: string }[]>`
    select debtor_id || ' ' || lower(payer_reference) as payer from payment
    where debtor_id = any(${[...debtorGuids]}::uuid[]) and payer_reference is not null and reversed_date is null`
  return new Set(rows.map(({ payer }) => payer))
}

const extraTypes = {
  id: 'uuid',
  hold_id: 'uuid',
  hold_from: 'date',
  hold_until: 'date',
  demanded_alone: 'boolean',
  minor_claim_checked: 'boolean',
  status_since: 'date',
}
const interruptionTypes = {
  id: 'uuid',
  case_id: 'uuid',
  kind: 'text',
  interrupted_date: 'date',
  in_writing: 'boolean',
}

export async function finishCases(
  tx: Db,
  extras: readonly HistoryExtras[],
  interruptions: readonly object[],
): Promise<void> {
  const names = Object.keys(extraTypes).slice(1)
  await runStatement(
    tx,
    `update debt_case c set ${names.map((name) => `${name} = n.${name}`).join(', ')}
     from ${rowsFrom(extraTypes, 1)} n where c.id = n.id`,
    rowParameters(extraTypes, extras),
  )
  if (interruptions.length === 0) return
  await runStatement(
    tx,
    `insert into limitation_interruption (${Object.keys(interruptionTypes).join(', ')})
     select * from ${rowsFrom(interruptionTypes, 1)} n`,
    rowParameters(interruptionTypes, interruptions),
  )
}

export interface PaymentEnd {
  id: string
  case_id: string | null
  reversed_date: string | null
  reversal_reason: string | null
  bounced: boolean | null
}

const endTypes = {
  id: 'uuid',
  case_id: 'uuid',
  reversed_date: 'date',
  reversal_reason: 'text',
  bounced: 'boolean',
}

/** The case that a payment was registered on, and its reversal, where a later case tells them. */
export async function endPayments(tx: Db, ends: readonly PaymentEnd[]): Promise<void> {
  for (const end of ends)
    await runStatement(
      tx,
      `update payment p set case_id = coalesce(n.case_id, p.case_id), reversed_date = n.reversed_date,
         reversal_reason = n.reversal_reason, bounced = n.bounced, version = p.version + 1
       from ${rowsFrom(endTypes, 1)} n where p.id = n.id`,
      rowParameters(endTypes, [end]),
    )
}
