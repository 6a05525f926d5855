import * as contract from '../../contract/cases/all-cases.ts'
import { getCaseLimitation } from '../../contract/cases/limitation.ts'
import type { AccessCode } from '../../contract/access/access.ts'
import { listAllPayments } from '../../contract/payments/all-payments.ts'
import { basePath } from '../../contract/api.ts'
import type { Link } from '../../contract/metadata/fields.ts'
import { customProperties } from '../platform/dictionary/custom-properties.ts'
import { serve } from '../access/serve/route.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import { findCaseContact, findCasePlan } from './case-summary.store.ts'
import * as store from './all-cases.store.ts'
import { findLimitationClock } from './limitation/limitation-clock.ts'
import * as payments from './all-payments.store.ts'

export function serveAllCases(service: ServerContext): void {
  const { clock, totals, customFields } = service

  serve(service, contract.listAllCases, async ({ db, caller, query }) => ({
    body: await store.listAllCases(db, caller, query, {
      totals,
      today: clock.today(),
      own: customProperties(await customFields.of('case'), 'c'),
    }),
  }))

  serve(service, listAllPayments, async ({ db, caller, query }) => ({
    body: await payments.listAllPayments(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.getCaseByGuid, async ({ db, caller, params: { caseGuid } }) => {
    const found = await store.requireCase(db, caller, caseGuid)
    const may = (code: AccessCode) => caller.accessCodes.has(code)
    const [debtors, invoices, contact, plan] = await Promise.all([
      store.listCaseDebtors(db, caseGuid),
      store.listCaseInvoices(db, caseGuid),
      may('debtor.read') ? findCaseContact(db, found.mainDebtorGuid) : null,
      may('paymentplan.read') ? findCasePlan(db, caller, caseGuid) : null,
    ])
    const { version, placeStatus: _, placeSubStatus: __, ...body } = found
    return { body: { ...body, debtors, invoices, contact, plan, links: caseLinks(found) }, version }
  })

  serve(service, contract.listCaseMovements, async ({ db, caller, params }) => ({
    body: await store.findMovements(
      db,
      await store.requireCase(db, caller, params.caseGuid),
      caller.language,
    ),
  }))

  serve(service, getCaseLimitation, async ({ db, caller, params: { caseGuid } }) => {
    await store.requireCase(db, caller, caseGuid)
    return { body: await findLimitationClock(db, caseGuid) }
  })

  serve(service, contract.listCaseNotes, async ({ db, caller, params: { caseGuid }, query }) => {
    await store.requireCase(db, caller, caseGuid)
    const context = { totals, today: clock.today() }
    return { body: await store.listCaseNotes(db, caller, caseGuid, query, context) }
  })
}

const link = (name: string, path: string, resource: string, guid: string): Link => ({
  type: 'GET',
  name,
  href: `${basePath}${path}`,
  resource,
  guid,
})

/** Links from a case to related resources. */
function caseLinks({ caseGuid, debtorGuid, clientGuid }: store.ListedCase): Link[] {
  const self = `/cases/${caseGuid}`
  return [
    link('self', self, 'case', caseGuid),
    link('movements', `${self}/movements`, 'movements', caseGuid),
    link('notes', `${self}/notes`, 'notes', caseGuid),
    link('debtor', `/debtors/${debtorGuid}`, 'debtor', debtorGuid),
    link('client', `/clients/${clientGuid}`, 'client', clientGuid),
    link('explain', `/debtors/${debtorGuid}${self}/explain`, 'caseexplanation', caseGuid),
  ]
}
