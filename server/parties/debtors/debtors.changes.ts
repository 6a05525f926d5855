/** Creating and changing debtors: the one way, for the API and the forms; the import prepares its debtors here too. */
import type { Language } from '../../../contract/platform/languages.ts'
import type { DebtorChangeForm, DebtorForm } from '../../../contract/parties/debtors.ts'
import { isCountry } from '../../../core/identity/codes.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import { wakeHeldMessages } from '../../platform/messages/messages.store.ts'
import { changesBetween } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { readMainAddress } from './addresses.rules.ts'
import { lockDebtor } from './debtor-lock.ts'
import { applyDebtorInput, noDebtor, type DebtorContext, type DebtorRecord } from './debtors.rules.ts'
import * as store from './debtors.store.ts'
import { findDuplicate, insertDebtor, type NewDebtor } from './insert-debtors.store.ts'
import { updateDebtor } from './update-debtors.store.ts'

/** Whether the request asks for a second debtor with the same identity number. */
export const allowsDuplicate = (headers: Record<string, unknown>) => headers['x-allow-duplicate'] === 'true'

/** Checks a new debtor's input and completes it. Throws a 400 naming every wrong member. */
export function prepareDebtor(
  input: DebtorForm,
  context: DebtorContext & { language?: Language },
): Omit<NewDebtor, 'sourceReference'> {
  const checks = new FieldErrors(context.language)
  const given = input.countryCode?.trim().toUpperCase() ?? ''
  const countryCode = isCountry(given) ? given : context.countryCode
  const record = applyDebtorInput(noDebtor, input, { ...context, countryCode }, checks)
  const mainAddress = readMainAddress(input, countryCode, checks)
  checks.throwIfAny()
  return { record, mainAddress }
}

const triesMax = 20

/** Stores a prepared debtor. Throws a 409 for an identity number that there is already. */
export async function createDebtor(
  db: Db,
  caller: Caller,
  debtor: Omit<NewDebtor, 'sourceReference'>,
  options: { origin: Origin; allowDuplicate: boolean },
): Promise<store.StoredDebtor & { version: number }> {
  let duplicateNumber = 0
  for (let tries = 0; tries < triesMax; tries++) {
    const made = { origin: options.origin, partyId: caller.partyId, duplicateNumber }
    const inserted = await insertDebtor(db, { ...debtor, sourceReference: null }, made)
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
  const { count, debtorGuid } = await findDuplicate(db, caller, record)
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

export interface DebtorRequest {
  debtorGuid: string
  input: DebtorChangeForm
  allowDuplicate: boolean
}

export interface DebtorChangeOptions {
  origin: Origin
  countryCode: string
  ifMatch: IfMatch
}

/** What contact permission goes by. */
const contactMembers: readonly (keyof DebtorRecord)[] = [
  'email',
  'cellularPhone',
  'emailConsent',
  'smsConsent',
  'phoneConsent',
  'protectedIdentity',
  'forwardingAddress',
  'dateOfBirth',
  'underAged',
]

/** So often a change is tried without holding the debtor; whoever still comes too late then queues for it. */
const freeTries = 3

/**
 * Returns the version after the change. Throws a 400, 404, 409 or 412. Begins anew when somebody else changed the debtor
 * after it was read.
 */
export async function changeDebtor(
  db: Db,
  caller: Caller,
  request: DebtorRequest,
  options: DebtorChangeOptions,
): Promise<number> {
  const { debtorGuid, allowDuplicate } = request
  const { origin } = options
  let duplicateNumber = 0
  for (let tries = 0; tries < triesMax; tries++) {
    let wanted: DebtorRecord | undefined
    const change = async (on: Db): Promise<number | undefined> => {
      const { before, after } = await prepareChange(on, caller, request, options)
      const changes = changesBetween(before.record, after)
      if (Object.keys(changes).length === 0) return before.version
      wanted = after
      const isStored = await updateDebtor(on, { debtorGuid, before, changes, duplicateNumber, origin })
      if (isStored && contactMembers.some((member) => member in changes))
        await wakeHeldMessages(on, debtorGuid)
      return isStored ? before.version + 1 : undefined
    }
    const changeHeld = async (tx: Db) => {
      await lockDebtor(tx, caller, debtorGuid, origin)
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
  { debtorGuid, input }: DebtorRequest,
  options: DebtorChangeOptions,
): Promise<{ before: store.DebtorForChange; after: DebtorRecord }> {
  const before = await store.findDebtorForChange(db, caller, debtorGuid)
  if (!before) throw notFound('debtor')
  requireMatch(options.ifMatch, before.version)
  const checks = new FieldErrors(caller.language)
  const countryCode = before.record.idCountryCode ?? before.countryCode ?? options.countryCode
  const context = { countryCode, today: options.origin.businessDate }
  const after = applyDebtorInput(before.record, input, context, checks)
  checks.throwIfAny()
  return { before, after }
}
