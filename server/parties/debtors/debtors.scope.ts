import { anyParty } from '../../access/scope/visible-rows.ts'
import {
  defineScope,
  defineChildScope,
  type Bind,
  type Scope,
  type ScopePart,
  type VisibleGuid,
} from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** With one party, `=` lets the database read an index in order, which `any` does not. */
const equalsParty = (caller: Caller, bind: Bind) =>
  caller.partyIds!.length === 1 ? bind(caller.partyIds![0]!, 'uuid') : anyParty(caller, bind)

/**
 * The debtors that a caller may see. Without a restriction: all. With one: debtors with a case of an allowed client, and
 * debtors without any case that the caller's own party created. Records of a debtor follow the same rule. For one debtor
 * the database looks into two indexes. For a list it can also begin with the cases.
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
): Scope<E> => defineChildScope(entity, { column: ownerColumns[entity], guid: debtor })
const ownerColumns = { address: 'a.debtor_id', extrafield: 'x.debtor_id' }
