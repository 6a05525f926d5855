import * as contract from '../../contract/audit.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { listAuditEntries } from './audit.store.ts'
import { maskChanges } from './masking.ts'

export function serveAudit(service: Service): void {
  const { clock, customFields, totals } = service

  serve(service, contract.listAuditEntries, async ({ db, caller, query }) => {
    const page = await listAuditEntries(db, caller, query, { totals, today: clock.today() })
    if (caller.accessCodes.has('audit.read')) return { body: page }
    const own = await customFields.all()
    const value = page.value.map((entry) => ({
      ...entry,
      changes: maskChanges(entry.entity, entry.changes, own.get(entry.entity)),
    }))
    return { body: { ...page, value } }
  })
}
