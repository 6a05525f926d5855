import type { DryRunMoneyRow } from '../../contract/platform/dry-run.ts'
import { fromMinor } from '../../core/money/money.ts'
import { isOwnRow } from '../platform/database/own-rows.ts'
import type { Db } from '../platform/database/transaction.ts'

type StoredRow = Omit<DryRunMoneyRow, 'amount'> & { amount: string }

/** The lines that this transaction booked on cases. */
export async function readTriedBookings(tx: Db, after: string): Promise<DryRunMoneyRow[]> {
  const rows = await tx<StoredRow[]>`
    select 'case' as book, t.case_id as "caseGuid", t.kind, to_char(t.value_date, 'YYYY-MM-DD"T00:00:00Z"') as "valueDate",
      e.account, e.amount::text as amount, c.currency_code as "currencyCode"
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join debt_case c on c.id = t.case_id
    where t.id > ${after} and ${isOwnRow(tx, 't')}
    order by t.case_id, t.number, e.line`
  return rows.map(({ amount, ...row }) => ({ ...row, amount: fromMinor(BigInt(amount), row.currencyCode) }))
}
