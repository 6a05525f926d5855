import * as contract from '../../contract/cases/all-cases.ts'
import { getCaseLimitation } from '../../contract/cases/limitation.ts'
import type { CaseByGuid } from '../../contract/cases/all-cases.ts'
import type { AccessCode } from '../../contract/access/access.ts'
import { listAllPayments } from '../../contract/payments/all-payments.ts'
import { basePath } from '../../contract/api.ts'
import type { Link } from '../../contract/metadata/fields.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { customProperties } from '../platform/dictionary/custom-properties.ts'
import { pastMark, readPastDay, type PastDay } from '../ledger/as-of/past-day.ts'
import type { Db } from '../platform/database/transaction.ts'
import { serve } from '../access/serve/route.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import { findCaseContact, findCasePlan } from './case-summary.store.ts'
import { keepDebtors, keepInvoices, listPastCases, requirePast } from './as-of/past-cases.ts'
import { showPast } from './as-of/show-past.ts'
import * as store from './all-cases.store.ts'
import { findLimitationClock } from './limitation/limitation-clock.ts'
import * as payments from './all-payments.store.ts'

export function serveAllCases(service: ServerContext): void {
  const { clock, totals, customFields } = service

  serve(service, contract.listAllCases, async ({ db, caller, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    const properties = customProperties(await customFields.of('case'), 'c')
    const context = { totals, today: clock.today(), customFields: properties }
    if (day) return { body: await listPastCases(db, caller, { query, day }, context) }
    return { body: await store.listAllCases(db, caller, query, context) }
  })

  serve(service, listAllPayments, async ({ db, caller, query }) => ({
    body: await payments.listAllPayments(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.getCaseByGuid, async ({ db, caller, params: { caseGuid }, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    const found = await store.requireCase(db, caller, caseGuid)
    if (day) return { body: await showCaseOn(db, found, day) }
    const may = (code: AccessCode) => caller.accessCodes.has(code)
    const [debtors, invoices, contact, plan] = await Promise.all([
      store.listCaseDebtors(db, caseGuid),
      store.listCaseInvoices(db, caseGuid),
      may('debtor.read') ? findCaseContact(db, found.mainDebtorGuid) : null,
      may('paymentplan.read') ? findCasePlan(db, caller, caseGuid) : null,
    ])
    const { version, placeStatus: _, placeSubStatus: __, ...body } = found
    const shown = debtors.map(({ addedDate: _date, ...one }) => one)
    return { body: { ...body, debtors: shown, invoices, contact, plan, links: caseLinks(found) }, version }
  })

  serve(service, contract.listCaseMovements, async ({ db, caller, params, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    const found = await store.requireCase(db, caller, params.caseGuid)
    if (day) await requirePast(db, params.caseGuid, day)
    const body = await store.findMovements(db, found, {
      reader: findReader(caller.language, query.culture),
      day,
    })
    return { body: day ? { ...body, ...pastMark(day) } : body }
  })

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

/** A case as of a day, without contact and plan, which have no derived past. */
async function showCaseOn(db: Db, found: store.ListedCase, day: PastDay): Promise<CaseByGuid> {
  const { version: _, placeStatus: __, placeSubStatus: ___, ...row } = found
  const past = await requirePast(db, found.caseGuid, day)
  const [debtors, invoices] = await Promise.all([
    store.listCaseDebtors(db, found.caseGuid),
    store.listCaseInvoices(db, found.caseGuid),
  ])
  return {
    ...showPast(row, past),
    debtors: keepDebtors(debtors, past, day),
    invoices: keepInvoices(invoices, past, day),
    contact: null,
    plan: null,
    links: caseLinks(found),
    ...pastMark(day),
  }
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
