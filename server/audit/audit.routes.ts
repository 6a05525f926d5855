import * as contract from '../../contract/audit.ts'
import { listTimeline as timeline } from '../../contract/timeline.ts'
import { requireDebtor } from '../debtors/debtor-lock.ts'
import type { Page } from '../database/list.ts'
import type { Caller } from '../http/caller.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { listAuditEntries } from './audit.store.ts'
import { maskChanges } from './masking.ts'
import { listTimeline } from './timeline.store.ts'

export function serveAudit(service: Service): void {
  const { clock, customFields, totals } = service

  serve(service, contract.listAuditEntries, async ({ db, caller, query }) => {
    const page = await listAuditEntries(db, caller, query, { totals, today: clock.today() })
    return { body: await maskPage(caller, page) }
  })

  serve(service, timeline, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    const page = await listTimeline(db, caller, debtor, query, { totals, today: clock.today() })
    return { body: await maskPage(caller, page) }
  })

  /** With personal data masked for those without `audit.read`. */
  async function maskPage<E extends { entity: string; changes: Parameters<typeof maskChanges>[1] }>(
    { accessCodes }: Caller,
    page: Page<E>,
  ): Promise<Page<E>> {
    if (accessCodes.has('audit.read')) return page
    const own = await customFields.all()
    const value = page.value.map((entry) => ({
      ...entry,
      changes: maskChanges(entry.entity, entry.changes, own.get(entry.entity)),
    }))
    return { ...page, value }
  }
}
