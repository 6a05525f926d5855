import * as contract from '../../contract/debtors.ts'
import type { Debtor, DebtorInput } from '../../contract/debtors.ts'
import type { Link } from '../../contract/fields.ts'
import { basePath } from '../../contract/api.ts'
import { isCountry } from '../../core/codes.ts'
import { inTransaction, violatedUniqueness, type Db } from '../database/transaction.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { ApiError, done, MemberChecks, notFound } from '../http/errors.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { requireMatch } from '../http/version.ts'
import { mainAddressOf } from './addresses.rules.ts'
import { applyDebtorInput, noDebtor, type DebtorRecord } from './debtors.rules.ts'
import { lockDebtor } from './debtor-lock.ts'
import * as store from './debtors.store.ts'

export function serveDebtors(service: Service): void {
  const { settings, clock, totals } = service

  serve(service, contract.listDebtors, async ({ db, caller, query }) => ({
    body: await store.listDebtors(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.createDebtor, async ({ db, caller, body, origin, headers }) => {
    const debtor = prepareDebtor(body, { countryCode: settings.FORDRA_COUNTRY, today: clock.today() })
    const made = await createDebtor(db, caller, debtor, { origin, allowDuplicate: allowsDuplicate(headers) })
    return { ...answerOf(made), location: `/debtors/${made.debtorGuid}` }
  })

  serve(service, contract.getDebtor, async ({ db, caller, params }) => {
    const debtor = await store.findDebtor(db, caller, params.debtorGuid)
    if (!debtor) throw notFound('debtor')
    return answerOf(debtor)
  })

  serve(
    service,
    contract.updateDebtor,
    async ({ db, caller, params, body, origin, headers, ifMatch, path }) => {
      const change = { debtorGuid: params.debtorGuid, input: body, allowDuplicate: allowsDuplicate(headers) }
      const version = await changeDebtor(db, caller, change, {
        origin,
        countryCode: settings.FORDRA_COUNTRY,
        requireVersion: (found) => requireMatch(ifMatch, found),
      })
      return { body: done('The debtor is updated.', path), version }
    },
  )
}

const allowsDuplicate = (headers: Record<string, unknown>) => headers['x-allow-duplicate'] === 'true'

/** Checks a new debtor's input and completes it. Throws a 400 naming every wrong member. */
export function prepareDebtor(
  input: DebtorInput,
  context: { countryCode: string; today: string },
): Omit<store.NewDebtor, 'sourceReference'> {
  const checks = new MemberChecks()
  const given = input.countryCode?.trim().toUpperCase() ?? ''
  const countryCode = isCountry(given) ? given : context.countryCode
  const record = applyDebtorInput(noDebtor, input, { ...context, countryCode }, checks)
  const mainAddress = mainAddressOf(input, countryCode, checks)
  checks.throwIfAny()
  return { record, mainAddress }
}

const triesMax = 20

async function createDebtor(
  db: Db,
  caller: Caller,
  debtor: Omit<store.NewDebtor, 'sourceReference'>,
  options: { origin: Origin; allowDuplicate: boolean },
): Promise<store.StoredDebtor & { version: number }> {
  let duplicateNumber = 0
  for (let tries = 0; tries < triesMax; tries++) {
    const made = { origin: options.origin, partyId: caller.partyId, duplicateNumber }
    const inserted = await store.insertDebtor(db, { ...debtor, sourceReference: null }, made)
    if (inserted) return inserted
    duplicateNumber = await numberDuplicate(db, caller, debtor.record, options.allowDuplicate)
  }
  throw new ApiError(
    'overloaded',
    'Others are creating debtors with this identity number right now. Try again.',
    {
      headers: { 'retry-after': '1' },
    },
  )
}

/** The number of one more debtor with the same identity number; a 409 when the caller did not ask for a double. */
async function numberDuplicate(
  db: Db,
  caller: Caller,
  record: DebtorRecord,
  allowed: boolean,
): Promise<number> {
  const { count, debtorGuid } = await store.findDuplicate(db, caller, record)
  if (allowed || count === 0) return count
  const which = debtorGuid === null ? '' : ` (${debtorGuid})`
  throw new ApiError(
    'conflict',
    `There is a debtor with this identity number and country already${which}. Use that one, or send X-Allow-Duplicate: true for a second.`,
    {
      errors: { idNumber: ['belongs to another debtor.'] },
      members: debtorGuid === null ? {} : { existingDebtorGuid: debtorGuid },
    },
  )
}

interface DebtorUpdate {
  debtorGuid: string
  input: contract.DebtorChange
  allowDuplicate: boolean
}

interface ChangeOptions {
  origin: Origin
  countryCode: string
  requireVersion: (version: number) => void
}

/** So often a change is tried without holding the debtor; whoever still comes too late then queues for it. */
const freeTries = 3

/** Returns the version after the change. Begins anew when somebody else changed the debtor in between. */
async function changeDebtor(
  db: Db,
  caller: Caller,
  update: DebtorUpdate,
  options: ChangeOptions,
): Promise<number> {
  const { debtorGuid, allowDuplicate } = update
  let duplicateNumber = 0
  for (let tries = 0; tries < triesMax; tries++) {
    let wanted: DebtorRecord | undefined
    const change = async (on: Db): Promise<number | undefined> => {
      const { before, after } = await prepareChange(on, caller, update, options)
      if (JSON.stringify(after) === JSON.stringify(before.record)) return before.version
      wanted = after
      const changed = await store.updateDebtor(on, debtorGuid, before, after, { ...options, duplicateNumber })
      return changed ? before.version + 1 : undefined
    }
    const changeHeld = async (tx: Db) => {
      await lockDebtor(tx, caller, debtorGuid, options.origin)
      return change(tx)
    }
    try {
      const version = tries < freeTries ? await change(db) : await inTransaction(db, changeHeld)
      if (version !== undefined) return version
    } catch (error) {
      if (violatedUniqueness(error) !== 'debtor_id_number') throw error
      duplicateNumber = await numberDuplicate(db, caller, wanted!, allowDuplicate)
    }
  }
  throw new ApiError('overloaded', 'Others are changing this debtor right now. Try again.', {
    headers: { 'retry-after': '1' },
  })
}

/** The debtor before and after a change. Throws when there is none, or the change is not allowed. */
async function prepareChange(
  db: Db,
  caller: Caller,
  { debtorGuid, input }: DebtorUpdate,
  options: ChangeOptions,
): Promise<{ before: store.DebtorForChange; after: DebtorRecord }> {
  const before = await store.findDebtorForChange(db, caller, debtorGuid)
  if (!before) throw notFound('debtor')
  options.requireVersion(before.version)
  const checks = new MemberChecks()
  const countryCode = before.record.idCountryCode ?? before.countryCode ?? options.countryCode
  const context = { countryCode, today: options.origin.businessDate }
  const after = applyDebtorInput(before.record, input, context, checks)
  checks.throwIfAny()
  return { before, after }
}

function answerOf({ version, ...debtor }: store.StoredDebtor & { version: number }): {
  body: Debtor
  version: number
} {
  return { body: { ...debtor, links: linksOf(debtor.debtorGuid) }, version }
}

const linkNames = ['self', 'addresses', 'extrafields']

function linksOf(debtorGuid: string): Link[] {
  const self = `${basePath}/debtors/${debtorGuid}`
  return linkNames.map((name) => ({
    type: 'GET',
    name,
    href: name === 'self' ? self : `${self}/${name}`,
    resource: name === 'self' ? 'debtor' : name,
    guid: debtorGuid,
  }))
}
