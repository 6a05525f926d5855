import type { DryRunMoneyRow } from '../../contract/platform/dry-run.ts'
import { fromMinor } from '../../core/money/money.ts'
import { isOwnRow } from '../platform/database/own-rows.ts'
import type { Db } from '../platform/database/transaction.ts'

type StoredRow = Omit<DryRunMoneyRow, 'amount'> & { amount: string }

/** The lines that this transaction booked in the books of client money. */
export async function readTriedTrust(tx: Db, after: string): Promise<DryRunMoneyRow[]> {
  const rows = await tx<StoredRow[]>`
    select 'trust' as book, e.case_id as "caseGuid", t.kind, to_char(t.value_date, 'YYYY-MM-DD"T00:00:00Z"') as "valueDate",
      e.account, e.amount::text as amount, t.currency_code as "currencyCode"
    from trust_transaction t join trust_entry e on e.transaction_id = t.id
    where t.id > ${after} and ${isOwnRow(tx, 't')}
    order by t.id, e.line`
  return rows.map(({ amount, ...row }) => ({ ...row, amount: fromMinor(BigInt(amount), row.currencyCode) }))
}
