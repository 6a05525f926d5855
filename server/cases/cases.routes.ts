import { basePath } from '../../contract/api.ts'
import { explainCase } from '../../contract/cases/case-explanation.ts'
import * as contract from '../../contract/cases/cases.ts'
import { getDemandGroup } from '../../contract/cases/demand-groups.ts'
import { getCasePermissions } from '../../contract/cases/permissions.ts'
import type { Link } from '../../contract/metadata/fields.ts'
import { requireDebtor } from '../parties/debtors/debtor-lock.ts'
import { findGeneralDefaults } from '../platform/dictionary/general-defaults.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { notFound } from '../platform/http/errors.ts'
import { serve } from '../access/serve/route.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import { pastMark, readPastDay } from '../ledger/as-of/past-day.ts'
import { explainStoredCase } from '../ledger/explain-case.ts'
import { listPastDebtorCases, requirePast, showPastOverview } from './as-of/past-cases.ts'
import { showPast } from './as-of/show-past.ts'
import { buildOverview } from './case-overview.ts'
import { describeDemandGroup } from './demands/describe-demand-group.ts'
import { findCasePermissions } from './case-permissions.ts'
import * as store from './cases.store.ts'

export function serveCases(service: ServerContext): void {
  const { clock, totals, settings } = service

  serve(service, contract.getCaseOverview, async ({ db, caller, params: { debtorGuid }, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    await requireDebtor(db, caller, debtorGuid)
    const [debtor, current] = await Promise.all([
      store.findOverviewDebtor(db, debtorGuid),
      store.listOverviewCases(db, caller, debtorGuid),
    ])
    const rows = day ? await showPastOverview(db, current, day) : current
    const isUnknown = debtor.currencyCode === null && rows.length === 0
    const general = isUnknown ? await findGeneralDefaults(db, settings) : null
    const body = buildOverview(debtorGuid, debtor, rows, general?.currencyCode ?? null)
    return { body: day ? { ...body, ...pastMark(day) } : body }
  })

  serve(service, contract.listCases, async ({ db, caller, params: { debtorGuid }, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    const context = { totals, today: clock.today() }
    const body = day
      ? await listPastDebtorCases(db, caller, { debtorGuid, query, day }, context)
      : await store.listCases(db, caller, debtorGuid, query, context)
    // Whoever may see a case of the debtor may see the debtor.
    if (body.count === 0) await requireDebtor(db, caller, debtorGuid)
    return { body }
  })

  serve(service, contract.getCase, async ({ db, caller, params, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    await requireDebtor(db, caller, params.debtorGuid)
    const found = await store.findCase(db, caller, params)
    if (!found) throw notFound('case')
    const { version, clientGuid: _, ...own } = found
    const body = { ...own, links: caseLinks(params) }
    if (day === null) return { body, version }
    return { body: { ...showPast(body, await requirePast(db, params.caseGuid, day)), ...pastMark(day) } }
  })

  serve(service, getCasePermissions, async ({ db, caller, params, query }) => {
    await requireDebtor(db, caller, params.debtorGuid)
    const found = await store.findCase(db, caller, params)
    if (!found) throw notFound('case')
    const asked = { date: clock.today(), reader: findReader(caller.language, query.culture) }
    return { body: await findCasePermissions(db, params.caseGuid, asked) }
  })

  serve(service, getDemandGroup, async ({ db, caller, params }) => {
    await requireDebtor(db, caller, params.debtorGuid)
    const found = await store.findCase(db, caller, params)
    if (!found) throw notFound('case')
    return { body: await describeDemandGroup(db, caller, params.caseGuid, clock.today()) }
  })

  serve(service, explainCase, async ({ db, caller, params, query }) => {
    const day = readPastDay(query, clock.today(), caller)
    await requireDebtor(db, caller, params.debtorGuid)
    const found = await store.findCase(db, caller, params)
    if (!found) throw notFound('case')
    const asked = { reader: findReader(caller.language, query.culture), day }
    return { body: await explainStoredCase(db, params.caseGuid, found, asked) }
  })
}

const link = (name: string, href: string, resource: string, guid: string): Link => ({
  type: 'GET',
  name,
  href,
  resource,
  guid,
})

/** Links from a case to related resources. */
function caseLinks({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }): Link[] {
  const debtor = `${basePath}/debtors/${debtorGuid}`
  return [
    link('self', `${debtor}/cases/${caseGuid}`, 'case', caseGuid),
    link('debtor', debtor, 'debtor', debtorGuid),
    link('explain', `${debtor}/cases/${caseGuid}/explain`, 'caseexplanation', caseGuid),
    link('caseoverview', `${debtor}/caseoverview`, 'caseoverview', debtorGuid),
    link('paymentplans', `${debtor}/paymentplans`, 'paymentplans', debtorGuid),
  ]
}
