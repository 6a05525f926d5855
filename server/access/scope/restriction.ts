/**
 * What a caller may see (contract section 6): the one place. Lists and single reads take a `Scope`, and only the
 * functions of this file make one, so that a read without the caller's restriction does not compile. A list that has no
 * restriction says so by `unrestricted`, with its reason.
 */
import type { AccessCode } from '../../../contract/access/access.ts'
import type { SqlText } from '../../platform/odata/filter.ts'
import type { Parameter } from '../../platform/database/statement.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  isThere,
  ofDebtor,
  parties,
  partsOfDebtors,
  tellsOfNoHiddenDocument,
  writeCases,
  writeDebtors,
  writeEvents,
  writeInForce,
  writeItems,
  writePlans,
  type Bind,
  type ScopePart,
} from './visible-rows.ts'

type Write = (bind: Bind) => string
type WriteParts = (bind: Bind) => readonly ScopePart[]

/** What is listed or read, each under the alias that its conditions are written for. */
export interface Aliases {
  debtor: 'd'
  address: 'a'
  extrafield: 'x'
  user: 'u'
  item: 'i'
  favorite: 'f'
  session: 's'
  message: 'm'
  audit: 'a'
  case: 'c'
  debtorcase: 'c'
  event: 'e'
  job: 'j'
  schedule: 's'
  webhook: 'w'
  delivery: 'd'
  note: 'n'
  client: 'p'
  paymentplan: 'pp'
  planpayment: 'n'
  payment: 'm'
  document: 'o'
  upload: 'uf'
  timeline: 'tl'
  paymentfile: 'pf'
  paymentfileentry: 'pe'
  suspense: 'su'
  payoutbatch: 'pb'
  holding: 'h'
  accessgroup: 'g'
  lookupvalue: 'v'
  field: 'f'
  interestrate: 'r'
  statutoryfee: 'f'
}
export type Entity = keyof Aliases

/** The condition that holds for the rows of an entity that a caller may see. Its private member makes it unforgeable. */
class RowScope<E extends Entity> {
  readonly entity: E
  readonly #write: Write
  readonly #parts: WriteParts

  constructor(entity: E, write: Write, parts: WriteParts = () => []) {
    this.entity = entity
    this.#write = write
    this.#parts = parts
  }

  /** The condition, its first parameter being the given one. `true` where everything may be seen. */
  at(firstParameter: number): SqlText {
    const { written, parameters } = bindFrom(firstParameter, this.#write)
    return { text: written, parameters, usesPattern: false }
  }

  /** The same rows as parts that are read in order, with the parameters of `at`; none where there are no such indexes. */
  partsAt(firstParameter: number): readonly ScopePart[] {
    return bindFrom(firstParameter, this.#parts).written
  }
}

function bindFrom<T>(firstParameter: number, write: (bind: Bind) => T) {
  const parameters: Parameter[] = []
  const written = write((value, cast) => {
    parameters.push(value)
    return `$${firstParameter + parameters.length - 1}::${cast}`
  })
  return { written, parameters }
}

export type Scope<E extends Entity> = RowScope<E>

/** The guid of a row that was found within its caller's restriction: `findVisible` makes it of what it has read. */
export type VisibleGuid<E extends Entity> = string & { readonly visible: E }

export const debtorsOf = (caller: Caller): Scope<'debtor'> =>
  new RowScope(
    'debtor',
    (bind) => writeDebtors(partsOfDebtors(caller, bind)),
    (bind) => partsOfDebtors(caller, bind),
  )

export const casesOf = (caller: Caller): Scope<'case'> =>
  new RowScope('case', (bind) => writeCases(caller, bind))

/** Of these, the ones in which a debtor has a part `cd`. */
export const casesOfDebtor = (caller: Caller, debtorGuid: string): Scope<'debtorcase'> =>
  new RowScope(
    'debtorcase',
    (bind) => `cd.debtor_id = ${bind(debtorGuid, 'uuid')} and ${writeCases(caller, bind)}`,
  )

/** The notes about a case. */
export const notesOfCase = (caller: Caller, caseGuid: string): Scope<'note'> =>
  new RowScope('note', (bind) => {
    const item = bind(caseGuid, 'uuid')
    return `n.item_guid = ${item} and exists (select from debt_case c where c.id = ${item} and ${writeCases(caller, bind)})`
  })

/** The notes about a debtor that was found within the caller's restriction. */
export const notesOfDebtor = (debtor: VisibleGuid<'debtor'>): Scope<'note'> =>
  new RowScope('note', (bind) => `n.item_guid = ${bind(debtor, 'uuid')}`)

/** Documents: those of the debtors that the caller may see, but for those that tell of cases of other clients. */
export const documentsOf = (caller: Caller): Scope<'document'> =>
  new RowScope('document', (bind) =>
    caller.partyIds === null
      ? 'true'
      : `${ofDebtor(caller, 'o.debtor_id', bind)} and o.client_ids <@ ${bind([...caller.partyIds], 'uuid[]')}`,
  )

/** Of these, the ones of a debtor. */
export const documentsOfDebtor = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'document'> =>
  new RowScope('document', (bind) => {
    const own = `o.debtor_id = ${bind(debtor, 'uuid')}`
    if (caller.partyIds === null) return own
    return `${own} and o.client_ids <@ ${bind([...caller.partyIds], 'uuid[]')}`
  })

/** Bank files, suspense and payouts tell of every client's money: they are the agency's, and a restricted caller sees none. */
export const agencysOwn = <E extends 'paymentfile' | 'suspense' | 'payoutbatch'>(
  entity: E,
  caller: Caller,
): Scope<E> => new RowScope(entity, () => (caller.partyIds === null ? 'true' : 'false'))

/** The entries of a file that the caller may see. */
export const entriesOfFile = (file: VisibleGuid<'paymentfile'>): Scope<'paymentfileentry'> =>
  new RowScope('paymentfileentry', (bind) => `pe.file_id = ${bind(file, 'uuid')}`)

/** Clients: the parties below the agency, or those of them that are allowed. */
export const clientsOf = (caller: Caller): Scope<'client'> =>
  new RowScope('client', (bind) =>
    caller.partyIds === null
      ? 'p.parent_id is not null'
      : `p.parent_id is not null and p.id = ${parties(caller, bind)}`,
  )

/** What clients have besides cases: that of the clients that are allowed. */
export const holdingsOf = (caller: Caller): Scope<'holding'> =>
  new RowScope('holding', (bind) =>
    caller.partyIds === null ? 'true' : `h.client_id = ${parties(caller, bind)}`,
  )

/** The plans of a debtor that was found within the caller's restriction. */
export const plansOf = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'paymentplan'> =>
  new RowScope(
    'paymentplan',
    (bind) => `pp.debtor_id = ${bind(debtor, 'uuid')} and ${writePlans(caller, bind)}`,
  )

/** The plans of all debtors that the caller may see: of a restricted caller those with cases of their clients alone. */
export const allPlansOf = (caller: Caller): Scope<'paymentplan'> =>
  new RowScope('paymentplan', (bind) =>
    caller.partyIds === null
      ? 'true'
      : `exists (select from payment_plan_case pc where pc.plan_id = pp.id) and ${writePlans(caller, bind)}`,
  )

export const planPaymentsOf = (caller: Caller): Scope<'planpayment'> =>
  new RowScope('planpayment', (bind) => writeInForce(caller, bind))

/** Movements `m` that are payments on a case `c`. */
export const paymentsOf = (caller: Caller): Scope<'payment'> =>
  new RowScope('payment', (bind) => `m.payment_id is not null and ${writeCases(caller, bind)}`)

/** What belongs to a debtor that was found within the caller's restriction. */
export const ownedBy = <E extends 'address' | 'extrafield'>(
  entity: E,
  debtor: VisibleGuid<'debtor'>,
): Scope<E> => new RowScope(entity, (bind) => `${ownerColumns[entity]} = ${bind(debtor, 'uuid')}`)
const ownerColumns = { address: 'a.debtor_id', extrafield: 'x.debtor_id' }

/** Users: all, or those of the caller's parties. */
export const usersOf = (caller: Caller): Scope<'user'> =>
  new RowScope('user', (bind) => {
    const { partyIds } = caller
    return partyIds === null ? 'true' : `u.party_id = any(${bind([...partyIds], 'uuid[]')})`
  })

/** The caller, also when their clients are other parties than their own. */
export const callersOwnUser = (caller: Caller): Scope<'user'> =>
  new RowScope('user', (bind) => `u.id = ${bind(caller.userId, 'uuid')}`)

export const itemsOf = (caller: Caller): Scope<'item'> =>
  new RowScope('item', (bind) => writeItems(caller, bind))

/** The caller's favorites `f`, but for those whose item `i` they may no longer see. */
export const favoritesOf = (caller: Caller): Scope<'favorite'> =>
  new RowScope(
    'favorite',
    (bind) =>
      `f.user_id = ${bind(caller.userId, 'uuid')} and (f.type = 0 or (i.guid is not null and ${writeItems(caller, bind)}))`,
  )

/** The caller's sessions that have not been ended. */
export const sessionsOf = (caller: Caller): Scope<'session'> =>
  new RowScope(
    'session',
    (bind) => `s.user_id = ${bind(caller.userId, 'uuid')} and s.revoked_at is null and s.ends_at > now()`,
  )

/** All entries for who has `audit.read` and no restriction; else those of the debtors and cases that the caller may see. */
export const auditOf = (caller: Caller): Scope<'audit'> =>
  new RowScope('audit', (bind) => {
    if (caller.partyIds !== null)
      return `(${ofDebtor(caller, 'a.subject', bind)}
        or ${isThere(`debt_case c where c.id = a.subject and ${writeCases(caller, bind)}`)}
        or ${isThere(`payment_plan pp where pp.id = a.subject and ${writePlans(caller, bind)}`)})
        and ${tellsOfNoHiddenDocument('a', bind([...caller.partyIds], 'uuid[]'))}`
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
export const timelineOf = (caller: Caller, debtor: VisibleGuid<'debtor'>): Scope<'timeline'> =>
  new RowScope('timeline', (bind) => {
    const open = Object.keys(timelineCodes).filter((entity) => caller.accessCodes.has(timelineCodes[entity]!))
    const own = `tl.debtor_id = ${bind(debtor, 'uuid')} and tl.entity = any(${bind(open, 'text[]')})`
    if (caller.partyIds === null) return own
    const allowed = bind([...caller.partyIds], 'uuid[]')
    // Whose business a message without a document is, nobody has said.
    return `${own} and (tl.client_ids <@ ${allowed} or (tl.client_ids is null and tl.entity <> 'message'))
      and ${tellsOfNoHiddenDocument('tl', allowed)}`
  })

export const eventsOf = (caller: Caller): Scope<'event'> =>
  new RowScope('event', (bind) => writeEvents(caller, bind))

/** Of these, the ones that tell of the given kinds of records; all when there are none given. */
export const eventsAbout = (caller: Caller, entities: readonly string[] | null): Scope<'event'> =>
  new RowScope('event', (bind) => {
    const seen = writeEvents(caller, bind)
    if (entities === null) return seen
    return `split_part(e.type, '.', 1) = any(${bind([...entities], 'text[]')}) and ${seen}`
  })

/** The deliveries of one webhook; webhooks are for administrators alone. */
export const deliveriesOf = (webhookGuid: string): Scope<'delivery'> =>
  new RowScope('delivery', (bind) => `d.webhook_id = ${bind(webhookGuid, 'uuid')}`)

/** Every row. `test/restriction.test.ts` lists who asks for it, and why: the reason is for whoever reads. */
export const unrestricted = <E extends Entity>(entity: E, _reason: string): Scope<E> =>
  new RowScope(entity, () => 'true')
