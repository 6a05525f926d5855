import type { AccessCode } from '../../../contract/access/access.ts'
import {
  caseCondition,
  debtorIsVisible,
  revealsNoDocument,
  rowExists,
} from '../../access/scope/visible-rows.ts'
import { planCondition } from '../../plans/plans.scope.ts'
import { defineScope, type Scope, type VisibleGuid } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** All entries for who has `audit.read` and no restriction; else those of the debtors and cases that the caller may see. */
export const visibleAuditEntries = (caller: Caller): Scope<'audit'> =>
  defineScope('audit', (bind) => {
    if (caller.partyIds !== null)
      return `(${debtorIsVisible(caller, 'a.subject', bind)}
        or ${rowExists(`debt_case c where c.id = a.subject and ${caseCondition(caller, bind)}`)}
        or ${rowExists(`payment_plan pp where pp.id = a.subject and ${planCondition(caller, bind)}`)})
        and ${revealsNoDocument('a', bind([...caller.partyIds], 'uuid[]'))}`
    return caller.accessCodes.has('audit.read')
      ? 'true'
      : "a.entity in ('debtor', 'address', 'extrafield', 'case', 'invoice', 'payment', 'paymentplan', 'note')"
  })

/** What of a debtor's timeline each access code opens. */
const timelineCodes: Record<string, AccessCode> = {
  debtor: 'debtor.read',
  address: 'debtor.read',
  extrafield: 'debtor.read',
  note: 'debtor.read',
  case: 'case.read',
  invoice: 'case.read',
  message: 'case.read',
  payment: 'payment.read',
  paymentplan: 'paymentplan.read',
  service: 'service.read',
}

/** The timeline of a debtor that was found within the caller's restriction: of cases and plans only those of allowed clients. */
export const visibleTimeline = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'timeline'> =>
  defineScope('timeline', (bind) => {
    const open = Object.keys(timelineCodes).filter((entity) => caller.accessCodes.has(timelineCodes[entity]!))
    const own = `tl.debtor_id = ${bind(debtor, 'uuid')} and tl.entity = any(${bind(open, 'text[]')})`
    if (caller.partyIds === null) return own
    const allowed = bind([...caller.partyIds], 'uuid[]')
    // Whose business a message without a document is, nobody has said.
    return `${own} and (tl.client_ids <@ ${allowed} or (tl.client_ids is null and tl.entity <> 'message'))
      and ${revealsNoDocument('tl', allowed)}`
  })
