import { anyParty } from '../../access/scope/visible-rows.ts'
import {
  defineScope,
  defineScopeOf,
  type Bind,
  type Scope,
  type ScopePart,
  type VisibleGuid,
} from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** A comparison with one value, where it is one, keeps the order of an index. */
const equalsParty = (caller: Caller, bind: Bind) =>
  caller.partyIds!.length === 1 ? bind(caller.partyIds![0]!, 'uuid') : anyParty(caller, bind)

/**
 * Debtors: all, or those with a case of a client that is allowed and those without any case that the caller's own party
 * made. Whatever hangs on a debtor goes by this rule. For one debtor it is two looks at an index; for a list the database
 * can also begin with the cases.
 */
function debtorParts(caller: Caller, bind: Bind): readonly ScopePart[] {
  if (caller.partyIds === null) return []
  return [
    {
      from: 'case_debtor seen',
      key: 'seen.debtor_id',
      where: `seen.client_id = ${equalsParty(caller, bind)}`,
      repeats: true,
      columns: { 'd.full_name': 'seen.full_name' },
    },
    {
      from: 'debtor own',
      key: 'own.id',
      where: `own.created_by_party_id = ${bind(caller.partyId, 'uuid')}
        and not exists (select from case_debtor other where other.debtor_id = own.id)`,
      repeats: false,
      columns: { 'd.full_name': 'own.full_name' },
    },
  ]
}

const debtorCondition = (parts: readonly ScopePart[]): string =>
  parts.length === 0
    ? 'true'
    : `d.id in (${parts.map(({ key, from, where }) => `select ${key} from ${from} where ${where}`).join(' union all ')})`

export const visibleDebtors = (caller: Caller): Scope<'debtor'> =>
  defineScope(
    'debtor',
    (bind) => debtorCondition(debtorParts(caller, bind)),
    (bind) => debtorParts(caller, bind),
  )

/** What belongs to a debtor that was found within the caller's restriction. */
export const ownedBy = <E extends 'address' | 'extrafield'>(
  entity: E,
  debtor: VisibleGuid<'debtor'>,
): Scope<E> => defineScopeOf(entity, { column: ownerColumns[entity], guid: debtor })
const ownerColumns = { address: 'a.debtor_id', extrafield: 'x.debtor_id' }
