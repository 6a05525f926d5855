import * as contract from '../../../contract/insight/audit.ts'
import { listTimeline as timeline } from '../../../contract/parties/timeline.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import type { Page } from '../../platform/database/list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findAuditHead, listAuditEntries } from './audit.store.ts'
import { maskChanges, showErased, type Changes, type StoredChanges } from './masking.ts'
import { convertAmounts } from './convert-amounts.ts'
import { listTimeline } from './timeline.store.ts'

export function serveAudit(service: ServerContext): void {
  const { clock, customFields, totals } = service

  serve(service, contract.listAuditEntries, async ({ db, caller, query }) => {
    const [page, head] = await Promise.all([
      listAuditEntries(db, caller, query, { totals, today: clock.today() }),
      findAuditHead(db),
    ])
    return { body: { ...(await tellPage(caller, page)), head } }
  })

  serve(service, timeline, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    const page = await listTimeline(db, caller, debtor, query, { totals, today: clock.today() })
    return { body: await tellPage(caller, page) }
  })

  /** Converts amounts to units of the currency, and masks personal data for callers without `audit.read`. */
  async function tellPage<E extends { entity: string; changes: StoredChanges; currencyCode: string | null }>(
    { accessCodes }: Caller,
    page: Page<E>,
  ): Promise<Page<Omit<E, 'changes'> & { changes: Changes; erased: string[] }>> {
    const own = accessCodes.has('audit.read') ? undefined : await customFields.all()
    const value = page.value.map((entry) => {
      const { changes: values, erased } = showErased(entry.changes)
      const changes = convertAmounts(values, entry.currencyCode)
      return {
        ...entry,
        erased,
        changes: own ? maskChanges(entry.entity, changes, own.get(entry.entity)) : changes,
      }
    })
    return { ...page, value }
  }
}
