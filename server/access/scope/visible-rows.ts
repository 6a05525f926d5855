/**
 * The conditions of what a caller may see (contract section 6), in SQL. Of them `restriction.ts` makes the scopes that
 * lists and reads take; nothing else uses them.
 */
import type { EventType } from '../../../contract/platform/event-types.ts'
import type { Parameter } from '../../platform/database/statement.ts'
import type { Caller } from '../../platform/http/caller.ts'

export type Bind = (value: Parameter, cast: string) => string

/** A part of the rows that a caller may see, which an index holds in an order. No row is in two of them. */
export interface ScopePart {
  from: string
  /** The row's key in it; several times where it `repeats`. */
  key: string
  where: string
  repeats: boolean
  /** What stands for the columns of the listed table by which the index orders. */
  columns: Readonly<Record<string, string>>
}

export const parties = (caller: Caller, bind: Bind) => `any(${bind([...caller.partyIds!], 'uuid[]')})`
/** A comparison with one value, where it is one, keeps the order of an index. */
const oneOfParties = (caller: Caller, bind: Bind) =>
  caller.partyIds!.length === 1 ? bind(caller.partyIds![0]!, 'uuid') : parties(caller, bind)

/**
 * Debtors: all, or those with a case of a client that is allowed and those without any case that the caller's own party
 * made. Whatever hangs on a debtor goes by this rule. For one debtor it is two looks at an index; for a list the database
 * can also begin with the cases.
 */
export function partsOfDebtors(caller: Caller, bind: Bind): readonly ScopePart[] {
  if (caller.partyIds === null) return []
  return [
    {
      from: 'case_debtor seen',
      key: 'seen.debtor_id',
      where: `seen.client_id = ${oneOfParties(caller, bind)}`,
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

export const writeDebtors = (parts: readonly ScopePart[]): string =>
  parts.length === 0
    ? 'true'
    : `d.id in (${parts.map(({ key, from, where }) => `select ${key} from ${from} where ${where}`).join(' union all ')})`

/**
 * Whether there is such a row, looked up by its key for each row that asks. Of `exists` between other conditions the
 * database would rather make a list of all that it holds for, which for a large client takes longer than all the rest.
 */
export const isThere = (rows: string): string => `(select true from ${rows} limit 1) is true`

/** The condition that the debtor with the given key is one of the caller's. */
export const ofDebtor = (caller: Caller, key: string, bind: Bind): string =>
  `(${isThere(`case_debtor cd where cd.debtor_id = ${key} and cd.client_id = ${parties(caller, bind)}`)}
    or ${isThere(`debtor d where d.id = ${key} and d.created_by_party_id = ${bind(caller.partyId, 'uuid')}
      and not exists (select from case_debtor cd where cd.debtor_id = d.id)`)})`

/** Cases: all, or those of the clients that are allowed. */
export const writeCases = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null ? 'true' : `c.client_id = ${parties(caller, bind)}`

/** Payment plans: all, or those whose cases are all of the clients that are allowed: a plan tells what is owed to each. */
export const writePlans = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null
    ? 'true'
    : `not exists (select from payment_plan_case pc where pc.plan_id = pp.id and pc.client_id <> all(${bind([...caller.partyIds], 'uuid[]')}))`

/** Payments `n` of plans `pp` that are in force, or were when they fell due. */
export const writeInForce = (caller: Caller, bind: Bind): string =>
  `(pp.active = 1 or (pp.active = 0 and n.due_date <= pp.end_date
    and exists (select from payment_plan_case begun where begun.plan_id = pp.id and begun.movements_before is not null)))
    and ${writePlans(caller, bind)}`

/** An item is visible where its debtor or its party is; of a case or an invoice that is the client. */
export function writeItems(caller: Caller, bind: Bind): string {
  if (caller.partyIds === null) return 'true'
  const party = `i.party_id = any(${bind([...caller.partyIds], 'uuid[]')})`
  return `(${party} or ${ofDebtor(caller, 'i.debtor_id', bind)})`
}

const ofDocuments: readonly EventType[] = ['debtor.document_created', 'debtor.document_deleted']

/**
 * An entry or event that tells of a document is for those who may see the document. Of one that is deleted nobody can say
 * any more whose business it was.
 */
export const tellsOfNoHiddenDocument = (alias: 'a' | 'e' | 'tl', allowed: string): string =>
  `((${alias}.type in (${ofDocuments.map((type) => `'${type}'`).join(', ')})) is not true
    or ${isThere(`document told where told.id = (${alias}.data ->> 'documentGuid')::uuid and told.client_ids <@ ${allowed}`)})`

/**
 * Events: all, or those of the debtors and cases that the caller may see, but for those of documents that they may not see.
 * Which kinds are for whom, the feed knows.
 */
export const writeEvents = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null
    ? 'true'
    : `(${ofDebtor(caller, 'e.subject', bind)}
        or ${isThere(`debt_case c where c.id = e.subject and ${writeCases(caller, bind)}`)})
        and ${tellsOfNoHiddenDocument('e', bind([...caller.partyIds], 'uuid[]'))}`
