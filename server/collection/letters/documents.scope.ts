import { debtorIsVisible } from '../../access/scope/visible-rows.ts'
import {
  defineScope,
  defineChildScope,
  type Scope,
  type VisibleGuid,
} from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** The documents of visible debtors, except documents about cases of other clients. */
export const visibleDocuments = (caller: Caller): Scope<'document'> =>
  defineScope('document', (bind) =>
    caller.partyIds === null
      ? 'true'
      : `${debtorIsVisible(caller, 'o.debtor_id', bind)} and o.client_ids <@ ${bind([...caller.partyIds], 'uuid[]')}`,
  )

/** The visible documents of one debtor. */
export const visibleDebtorDocuments = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'document'> =>
  defineChildScope('document', { column: 'o.debtor_id', guid: debtor }, (bind) =>
    caller.partyIds === null ? 'true' : `o.client_ids <@ ${bind([...caller.partyIds], 'uuid[]')}`,
  )
