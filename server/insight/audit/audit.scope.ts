import type { AccessCode } from '../../../contract/access/access.ts'
import { caseCondition, debtorIsVisible, hidesDocuments, rowExists } from '../../access/scope/visible-rows.ts'
import { attachmentCondition, attachmentRows } from '../../metadata/attachments/attachments.scope.ts'
import { noteCondition } from '../../metadata/search/items.scope.ts'
import { planCondition } from '../../plans/plans.scope.ts'
import { defineScope, type Scope, type VisibleGuid } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/**
 * All entries for an unrestricted caller with `audit.read`. Otherwise entries of visible debtors and cases, of the kinds
 * that the caller may read.
 */
export const visibleAuditEntries = (caller: Caller): Scope<'audit'> =>
  defineScope('audit', (bind) => {
    const isAuditor = caller.accessCodes.has('audit.read')
    if (caller.partyIds === null)
      return isAuditor ? 'true' : `a.entity = any(${bind(debtorEntities.filter(mayRead(caller)), 'text[]')})`
    const closed = isAuditor ? [] : Object.keys(entityCodes).filter((entity) => !mayRead(caller)(entity))
    return `(${debtorIsVisible(caller, 'a.subject', bind)}
      or ${rowExists(`debt_case c where c.id = a.subject and ${caseCondition(caller, bind)}`)}
      or ${rowExists(`payment_plan pp where pp.id = a.subject and ${planCondition(caller, bind)}`)})
      and ${hidesDocuments('a', bind([...caller.partyIds], 'uuid[]'))}
      ${closed.length > 0 ? `and a.entity <> all(${bind(closed, 'text[]')})` : ''}`
  })

const debtorEntities = [
  'debtor',
  'address',
  'extrafield',
  'case',
  'invoice',
  'payment',
  'paymentplan',
  'note',
  'attachment',
]

/** The access code for each kind of entry, on a debtor's timeline and in the trail. */
const entityCodes: Record<string, AccessCode> = {
  debtor: 'debtor.read',
  address: 'debtor.read',
  extrafield: 'debtor.read',
  note: 'debtor.read',
  attachment: 'case.read',
  case: 'case.read',
  invoice: 'case.read',
  message: 'case.read',
  payment: 'payment.read',
  paymentplan: 'paymentplan.read',
  service: 'service.read',
}
const mayRead = (caller: Caller) => (entity: string) => caller.accessCodes.has(entityCodes[entity]!)

/** The timeline of a visible debtor. A restricted caller sees only cases and plans of allowed clients. */
export const visibleTimeline = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'timeline'> =>
  defineScope('timeline', (bind) => {
    const open = Object.keys(entityCodes).filter(mayRead(caller))
    const own = `tl.debtor_id = ${bind(debtor, 'uuid')} and tl.entity = any(${bind(open, 'text[]')})
      and (tl.entity <> 'attachment' or ${rowExists(`${attachmentRows} where a.id = tl.entity_id and ${attachmentCondition(caller, bind)}`)})`
    if (caller.partyIds === null) return own
    const allowed = bind([...caller.partyIds], 'uuid[]')
    // A message without a document has no client, so restricted callers do not see it.
    return `${own} and (tl.client_ids <@ ${allowed} or (tl.client_ids is null and tl.entity <> 'message'))
      and ${hidesDocuments('tl', allowed)}
      and (tl.entity <> 'note' or ${rowExists(`note n where n.id = tl.entity_id and ${noteCondition(caller, bind)}`)})`
  })
