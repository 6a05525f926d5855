/** Lifts holds after their last day, at the end of the day. */
import { caseRowSelect, type CaseRow } from '../../claims/case-lock.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { runStatement } from '../../platform/database/statement.ts'
import type { ChunkedWork } from '../../platform/jobs/chunked-work.ts'
import { liftHold } from './hold-case.ts'

export interface Lifted {
  lifted: number
}

const due = `c.closure_code is null and c.hold is not null
  and c.hold_until < (select business_date from business_clock)`

export const liftDueHolds = (chunkRows = 100): ChunkedWork<Lifted, null> => ({
  none: { lifted: 0 },
  count: async (db) => {
    const [row] = await runStatement<{ count: number }>(
      db,
      `select count(*)::int as count from debt_case c where ${due}`,
      [],
    )
    return row!.count
  },
  run: async (tx, { figures }, origin) => {
    await holdDate(tx)
    const rows = await runStatement<CaseRow>(
      tx,
      `select ${caseRowSelect} from debt_case c where ${due} order by c.id limit ${chunkRows} for no key update`,
      [],
    )
    for (const row of rows) await liftHold(tx, row, origin)
    const lifted = figures.lifted + rows.length
    return { figures: { lifted }, place: null, isDone: rows.length < chunkRows, worked: rows.length }
  },
})
