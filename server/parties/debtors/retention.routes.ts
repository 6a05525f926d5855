import * as contract from '../../../contract/parties/retention.ts'
import { keptUntil } from '../../../core/cases/retention.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { listDebtorNotes } from '../../metadata/search/debtor-notes.store.ts'
import { requireDebtor, type VisibleDebtor } from './debtor-lock.ts'

export function serveRetention(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.getLegalHold, async ({ db, caller, params }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return { body: await findLegalHold(db, debtor, clock.today()) }
  })

  serve(service, contract.listDebtorNotes, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return { body: await listDebtorNotes(db, caller, debtor, query, { totals, today: clock.today() }) }
  })
}

/** What keeps the debtor's data from being erased on a day, over the cases of every client. */
export async function findLegalHold(
  db: Db,
  debtor: VisibleDebtor,
  today: string,
): Promise<contract.LegalHold> {
  const cases = await db<
    { closureDate: string | null; credit: number; account: string; countryCode: string | null }[]
  >`
    with recursive above as (
      select c.id as case_id, p.parent_id, p.country_code, 0 as distance
      from case_debtor cd join debt_case c on c.id = cd.case_id join party p on p.id = c.client_id
      where cd.debtor_id = ${debtor}
      union all
      select a.case_id, p.parent_id, p.country_code, a.distance + 1 from above a join party p on p.id = a.parent_id
    )
    select c.closure_date as "closureDate", c.credit,
      c.main_debtor_id || c.currency_code as account,
      (select a.country_code from above a where a.case_id = c.id and a.country_code is not null order by distance limit 1)
        as "countryCode"
    from debt_case c where c.id in (select case_id from above)`
  const closed = cases.flatMap(({ closureDate, countryCode }) =>
    closureDate === null ? [] : [keptUntil(closureDate, countryCode)],
  )
  const kept = closed.filter((last) => last >= today)
  const openCases = cases.length - closed.length
  // Used on another case it is taken off there: what counts is a debtor's sum in a currency.
  const accounts = [...Map.groupBy(cases, ({ account }) => account).values()]
  const unsettled = accounts.filter((own) => own.reduce((sum, { credit }) => sum + credit, 0) !== 0)
  const unpaidCredits = unsettled.flat().filter(({ credit }) => credit !== 0).length
  return {
    held: openCases + kept.length + unpaidCredits > 0,
    openCases,
    keptCases: kept.length,
    unpaidCredits,
    keptUntil: kept.length === 0 ? null : toMidnight(kept.toSorted().at(-1)!),
  }
}
