import * as contract from '../../../contract/insight/audit.ts'
import { listTimeline as timeline } from '../../../contract/parties/timeline.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import type { Page } from '../../platform/database/list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { listAuditEntries } from './audit.store.ts'
import { maskChanges, type Changes } from './masking.ts'
import { convertAmounts } from './convert-amounts.ts'
import { listTimeline } from './timeline.store.ts'

export function serveAudit(service: ServerContext): void {
  const { clock, customFields, totals } = service

  serve(service, contract.listAuditEntries, async ({ db, caller, query }) => {
    const page = await listAuditEntries(db, caller, query, { totals, today: clock.today() })
    return { body: await tellPage(caller, page) }
  })

  serve(service, timeline, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    const page = await listTimeline(db, caller, debtor, query, { totals, today: clock.today() })
    return { body: await tellPage(caller, page) }
  })

  /** Converts amounts to units of the currency, and masks personal data for callers without `audit.read`. */
  async function tellPage<E extends { entity: string; changes: Changes; currencyCode: string | null }>(
    { accessCodes }: Caller,
    page: Page<E>,
  ): Promise<Page<E>> {
    const own = accessCodes.has('audit.read') ? undefined : await customFields.all()
    const value = page.value.map((entry) => {
      const changes = convertAmounts(entry.changes, entry.currencyCode)
      return { ...entry, changes: own ? maskChanges(entry.entity, changes, own.get(entry.entity)) : changes }
    })
    return { ...page, value }
  }
}
