/** The forms of a case and its status: the functions of server/cases by field codes. */
import * as layout from '../../contract/metadata/forms/cases.ts'
import { handle, type FormCall, type FormHandler } from '../platform/dictionary/handler.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import { addCaseDebtor, changeCase, removeCaseDebtor } from './case-debtors.ts'
import type { CaseContext } from '../claims/case-lock.ts'
import { previewReference, previewTotals } from './case-preview.ts'
import * as status from './case-status.ts'
import { changeCaseLaw, findCaseLaw } from './case-law.ts'
import { changeDemand } from './demands/change-demand.ts'
import { findDemand } from './demands/demand-groups.store.ts'
import { changeTerms } from './case-terms.ts'
import { requireCase, type ListedCase } from './all-cases.store.ts'
import { findReader } from '../platform/dictionary/reader.ts'
import { describeBarred } from './limitation/interrupt-limitation.ts'
import { changeClientTerms, requireOwnTerms } from '../ledger/client-terms.changes.ts'
import { findCaseTerms } from '../claims/client-terms.ts'
import { findHold } from './holds/holds.store.ts'
import { holdCase, resumeCase } from './holds/hold-case.ts'
import { toMidnight } from '../../core/calendar/date-time.ts'
import { registerCase } from './register-case.ts'

const storedIn = {
  table: 'debt_case',
  columns: { caseGuid: 'id', clientGuid: 'client_id', debtorGuid: 'main_debtor_id' },
}

/** The case of a form. Throws a 404. */
const find = async ({ db, caller, id }: FormCall) => {
  const found = await requireCase(db, caller, id)
  return { record: found, version: found.version }
}
export const formContext = ({ origin, ifMatch }: Pick<FormCall, 'origin' | 'ifMatch'>): CaseContext => ({
  origin,
  ifMatch,
})
const caseLocation = (caseGuid: string) => `/cases/${caseGuid}`

export const caseForms = ({ clock }: ServerContext): FormHandler[] => [
  handle(layout.caseRegister, {
    storedIn,
    defaults: () => ({ debtorRole: 'MAIN_DEBTOR', service: 'COLLECTION' }),
    recalculate: (code, { db, caller, body }) =>
      code === 'totals' ? previewTotals(db, caller, body, clock.today()) : previewReference(db, caller, body),
    create: async ({ db, caller, body, origin }) => {
      const made = await registerCase(db, caller, body, { origin })
      const warnings = made.barredOn && describeBarred(made.barredOn, findReader(caller.language))
      return { record: { ...body, ...made, warnings }, version: 1, location: caseLocation(made.caseGuid) }
    },
  }),
  handle(layout.caseEdit, {
    storedIn,
    find,
    store: ({ db, caller, id, body, ...call }) =>
      changeCase(db, caller, { caseGuid: id, input: body }, formContext(call)),
  }),
  handle(layout.caseDebtor, {
    defaults: async ({ db, caller, id }) => {
      if (id !== '') await requireCase(db, caller, id)
      return { debtorRole: 'CO_DEBTOR' }
    },
    create: async ({ db, caller, id, body, ...call }) => {
      const version = await addCaseDebtor(db, caller, { caseGuid: id, input: body }, formContext(call))
      return { record: { debtorRole: 'CO_DEBTOR', ...body }, version, location: caseLocation(id) }
    },
    remove: async ({ db, caller, id, subId, ...call }) => {
      await removeCaseDebtor(db, caller, { caseGuid: id, debtorGuid: subId }, formContext(call))
    },
  }),
  ...lifecycleForms(),
  handle(layout.caseLaw, {
    find: async (call) => {
      const { record, version } = await find(call)
      return { record: await findCaseLaw(call.db, record.caseGuid), version }
    },
    store: ({ db, caller, id, body, ...call }) =>
      changeCaseLaw(db, caller, { caseGuid: id, input: body }, formContext(call)),
  }),
  handle(layout.caseTerms, {
    find: async (call) => {
      const { record, version } = await find(call)
      return { record: await findCaseTerms(call.db, record.caseGuid), version }
    },
    store: async ({ db, caller, id, body, ...call }) => {
      await changeTerms(db, caller, { caseGuid: id, input: body }, formContext(call))
      return (await requireCase(db, caller, id)).version
    },
  }),
  handle(layout.clientTerms, {
    storedIn: { table: 'party', columns: { clientGuid: 'id' } },
    find: async ({ db, caller, id }) => {
      const terms = await requireOwnTerms(db, caller, id)
      return { record: terms, version: terms.version }
    },
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changeClientTerms(db, caller, { clientGuid: id, input: body, ifMatch }, origin),
  }),
]

/** The status of a case underneath its hold, plan or closure: the status form changes this one. */
const openPlace = (found: ListedCase & { placeStatus: string; placeSubStatus: string }) => ({
  status: found.placeStatus,
  subStatus: found.placeSubStatus,
})

const lifecycleForms = (): FormHandler[] => [
  handle(layout.caseStatus, {
    find: async (call) => {
      const { record, version } = await find(call)
      return { record: { ...record, ...(record.closureCode === null && openPlace(record)) }, version }
    },
    store: ({ db, caller, id, body, ...call }) =>
      status.changeCaseStatus(db, caller, { caseGuid: id, input: body }, formContext(call)),
  }),
  handle(layout.caseDemand, {
    find: async (call) => {
      const { record, version } = await find(call)
      return { record: { ...record, ...(await findDemand(call.db, record.caseGuid)) }, version }
    },
    store: ({ db, caller, id, body, ...call }) =>
      changeDemand(db, caller, { caseGuid: id, input: body }, formContext(call)),
  }),
  handle(layout.caseHold, {
    find: async (call) => {
      const { record, version } = await find(call)
      const { from, until, paused } = await findHold(call.db, record.caseGuid)
      const days = {
        holdFrom: from && toMidnight(from),
        holdUntil: until && toMidnight(until),
        interestPaused: paused,
      }
      return { record: { ...record, reason: record.hold, ...days }, version }
    },
    store: ({ db, caller, id, body, ...call }) =>
      holdCase(db, caller, { caseGuid: id, input: body }, formContext(call)),
  }),
  handle(layout.caseResume, {
    find,
    store: ({ db, caller, id, ...call }) => resumeCase(db, caller, { caseGuid: id }, formContext(call)),
  }),
  handle(layout.caseClose, {
    find,
    store: ({ db, caller, id, body, ...call }) =>
      status.closeCase(db, caller, { caseGuid: id, input: body }, formContext(call)),
  }),
  handle(layout.caseReopen, {
    find,
    store: ({ db, caller, id, ...call }) =>
      status.reopenCase(db, caller, { caseGuid: id }, formContext(call)),
  }),
]
