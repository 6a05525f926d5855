import { runStatement } from '../platform/database/statement.ts'
import { visibleDebtors } from '../parties/debtors/debtors.scope.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'

/** Returns whether the debtor exists and the caller may see it. */
export async function isVisibleDebtor(db: Db, caller: Caller, debtorGuid: string): Promise<boolean> {
  const scope = visibleDebtors(caller).at(2)
  const rows = await runStatement(
    db,
    `select 1 from debtor d where d.id = $1 and ${scope.text}`,
    [debtorGuid, ...scope.parameters],
    { prepare: true },
  )
  return rows.length > 0
}
