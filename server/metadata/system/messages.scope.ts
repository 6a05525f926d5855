import { debtorIsVisible, rowExists } from '../../access/scope/visible-rows.ts'
import { defineScope, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/**
 * Messages: those to debtors need `debtor.read`. A restricted caller sees only the letters of visible debtors that are
 * about no other client, since a message of a service may be about anything.
 */
export const visibleMessages = (caller: Caller): Scope<'message'> =>
  defineScope('message', (bind) => {
    const mayReadDebtors = caller.accessCodes.has('debtor.read')
    if (caller.partyIds === null) return mayReadDebtors ? 'true' : 'm.debtor_id is null'
    if (!mayReadDebtors) return 'false'
    const allowed = bind([...caller.partyIds], 'uuid[]')
    return `${debtorIsVisible(caller, 'm.debtor_id', bind)}
      and ${rowExists(`document o where o.id = m.document_id and o.client_ids <@ ${allowed}`)}`
  })
