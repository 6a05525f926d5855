/** Changing a debtor's addresses: the one way, for the API and whatever else changes them. */
import type { Address, AddressInput } from '../../../contract/parties/addresses.ts'
import type { EventAction } from '../../../contract/platform/event-types.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { changesBetween, initialChanges } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { invalid, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { applyAddressInput, noAddress, type AddressRecord } from './addresses.rules.ts'
import * as store from './addresses.store.ts'
import { lockDebtor, type DebtorChangeNote, type VisibleDebtor } from './debtor-lock.ts'
import { refreshShownAddress } from './debtors.store.ts'

export interface AddressContext {
  origin: Origin
  /** The country of an address without one. */
  countryCode: string
}

export interface AddressPath {
  debtorGuid: string
  addressGuid: string
}

/** Adds an address. Throws a 400 naming every wrong member, or a 404 for the debtor. */
export async function addAddress(
  db: Db,
  caller: Caller,
  { debtorGuid, input }: { debtorGuid: string; input: AddressInput },
  context: AddressContext,
): Promise<store.StoredAddress> {
  const record = prepareAddress(noAddress, input, context)
  await requireAddressType(db, record, noAddress)
  return inTransaction(db, (tx) => addReadyAddress(tx, caller, { debtorGuid, record }, context.origin))
}

/** Adds a checked address of a known type. Throws a 404 for the debtor. */
export async function addReadyAddress(
  tx: Db,
  caller: Caller,
  { debtorGuid, record }: { debtorGuid: string; record: AddressRecord },
  origin: Origin,
): Promise<store.StoredAddress> {
  const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
  const cleared = record.defaultAddress ? await clearDefault(tx, debtorGuid, null) : []
  const addressGuid = await store.insertAddress(tx, debtorGuid, record)
  await refreshShownAddress(tx, debtorGuid, origin.businessDate)
  await note([...cleared, { ...makeNote('created', addressGuid), changes: initialChanges(record) }])
  return (await store.findAddress(tx, debtor, addressGuid))!
}

/** So often a change is tried without holding the debtor; whoever still comes too late then queues for it. */
const freeTries = 3

/** Changes an address; returns its version. Throws a 400, 404 or 412. */
export const changeAddress = (
  db: Db,
  caller: Caller,
  request: AddressPath & { input: AddressInput; ifMatch: IfMatch },
  context: AddressContext,
): Promise<number> =>
  changeStored(db, caller, request, {
    origin: context.origin,
    prepare: async (on, before) => {
      const record = prepareAddress(pickRecord(before), request.input, context)
      await requireAddressType(on, record, before)
      const own = changesBetween(pickRecord(before), record)
      const validity = followValidity(before, own, context.origin)
      return {
        changes: { ...own, ...changesBetween(pickNames(before, validity), validity) },
        markedByService: marking(own, context.origin),
      }
    },
  })

/** Confirms that an address is right; returns its version. Throws a 404 or 412. */
export const confirmAddress = (
  db: Db,
  caller: Caller,
  request: AddressPath & { ifMatch: IfMatch },
  origin: Origin,
): Promise<number> =>
  changeStored(db, caller, request, {
    origin,
    prepare: async (_on, before) => {
      const after = {
        addressNotValidDate: null,
        validatedAt: new Date().toISOString(),
        validOverride: before.validOverride === true || (before.markedByService && origin.isService !== true),
      }
      return { changes: changesBetween(pickNames(before, after), after), markedByService: false }
    },
  })

interface Prepared {
  changes: DebtorChangeNote['changes']
  markedByService: boolean | undefined
}

/** Changes at the same time are batched; one that moves the default flag, or comes too late, holds the debtor. */
async function changeStored(
  db: Db,
  caller: Caller,
  path: AddressPath & { ifMatch: IfMatch },
  {
    origin,
    prepare,
  }: { origin: Origin; prepare: (on: Db, before: store.StoredAddress) => Promise<Prepared> },
): Promise<number> {
  for (let tries = 0; tries < freeTries; tries++) {
    const before = await store.findAddressForChange(db, caller, path)
    if (!before) break
    requireMatch(path.ifMatch, before.address.version)
    const { changes, markedByService } = await prepare(db, before.address)
    if (Object.keys(changes).length === 0) return before.address.version
    if ('defaultAddress' in changes) break
    const isStored = await store.updateAddressAlone(db, { before, changes, markedByService, origin })
    if (isStored) return before.address.version + 1
  }
  return inTransaction(db, async (tx) => {
    const { debtor, note } = await lockDebtor(tx, caller, path.debtorGuid, origin)
    const before = await requireAddress(tx, debtor, path.addressGuid, path.ifMatch)
    const { changes, markedByService } = await prepare(tx, before)
    if (Object.keys(changes).length === 0) return before.version
    const isDefault = pickNewValues(changes).defaultAddress ?? before.defaultAddress
    const cleared = isDefault ? await clearDefault(tx, path.debtorGuid, path.addressGuid) : []
    await store.updateAddress(tx, path.addressGuid, pickNewValues(changes), markedByService)
    await refreshShownAddress(tx, path.debtorGuid, origin.businessDate)
    await note([...cleared, { ...makeNote('updated', path.addressGuid, changes), changes }])
    return before.version + 1
  })
}

type Validity = Pick<Address, 'validatedAt' | 'validOverride'>

/**
 * What a change of an address means for its confirmation. A new place, or a mark as not valid, ends it. A person who
 * takes a service's mark away overrules the service.
 */
function followValidity(
  before: store.StoredAddress,
  changes: DebtorChangeNote['changes'],
  origin: Origin,
): Partial<Validity> {
  const mark = changes['addressNotValidDate']
  if (mark && mark[1] === null && before.markedByService && origin.isService !== true)
    return { validatedAt: new Date().toISOString(), validOverride: true }
  const isMarked = mark !== undefined && mark[1] !== null
  return isMarked || 'fullAddress' in changes ? { validatedAt: null, validOverride: false } : {}
}

/** Who marked the address as not valid; undefined when the change leaves the mark as it is. */
function marking(changes: DebtorChangeNote['changes'], origin: Origin): boolean | undefined {
  const mark = changes['addressNotValidDate']
  return mark && mark[1] !== null && origin.isService === true
}

const pickNames = (address: Address, like: object): object =>
  Object.fromEntries(Object.keys(like).map((name) => [name, address[name as keyof Address]]))

/** Removes an address and moves the default flag if it had it. Throws a 404 or 412. */
export async function removeAddress(
  db: Db,
  caller: Caller,
  { debtorGuid, addressGuid, ifMatch }: AddressPath & { ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
    const before = await requireAddress(tx, debtor, addressGuid, ifMatch)
    await store.deleteAddress(tx, addressGuid)
    const moved = before.defaultAddress === true ? await moveDefault(tx, debtorGuid, origin.businessDate) : []
    await refreshShownAddress(tx, debtorGuid, origin.businessDate)
    await note([deletedAddress(before), ...moved])
  })
}

function prepareAddress(
  before: AddressRecord,
  input: AddressInput,
  { countryCode }: AddressContext,
): AddressRecord {
  const checks = new FieldErrors()
  const record = applyAddressInput(before, input, countryCode, checks)
  checks.throwIfAny()
  return record
}

/** LEGAL, or a value that the agency added to the lookup; spelt as it is there. Throws a 400. */
async function requireAddressType(
  db: Db,
  record: AddressRecord,
  before: { addressType: string | null },
): Promise<void> {
  if (record.addressType === before.addressType) return
  const known = await store.findAddressType(db, record.addressType)
  if (known === undefined)
    throw invalid({ addressType: ['must be LEGAL or a value that was added to the lookup addresstype.'] })
  record.addressType = known
}

async function requireAddress(
  tx: Db,
  debtor: VisibleDebtor,
  addressGuid: string,
  ifMatch: IfMatch,
): Promise<store.StoredAddress> {
  const address = await store.findAddress(tx, debtor, addressGuid)
  if (!address) throw notFound('address')
  requireMatch(ifMatch, address.version)
  return address
}

const names = Object.keys(noAddress) as (keyof AddressRecord)[]
const nothing = Object.fromEntries(names.map((name) => [name, null]))

const pickRecord = (address: Address): AddressRecord =>
  Object.fromEntries(names.map((name) => [name, address[name]])) as unknown as AddressRecord

const pickNewValues = (changes: DebtorChangeNote['changes']): store.AddressChange =>
  Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]))

const makeNote = (
  action: EventAction<'address'>,
  addressGuid: string,
  changes?: object,
): Omit<DebtorChangeNote, 'changes'> => ({
  type: `address.${action}`,
  entityId: addressGuid,
  data: { addressGuid, ...(changes && { changed: Object.keys(changes) }) },
})

export const deletedAddress = (address: Address): DebtorChangeNote => ({
  ...makeNote('deleted', address.addressGuid),
  changes: changesBetween(pickRecord(address), nothing),
})

/** Takes the flag from the address that has it. */
async function clearDefault(tx: Db, debtorGuid: string, except: string | null): Promise<DebtorChangeNote[]> {
  const old = await store.findDefaultAddress(tx, debtorGuid, except)
  return old === undefined ? [] : [await setDefault(tx, old, false)]
}

/** Gives the flag of a deleted address to the newest valid LEGAL one. */
async function moveDefault(tx: Db, debtorGuid: string, today: string): Promise<DebtorChangeNote[]> {
  const next = await store.findNewestLegalAddress(tx, debtorGuid, today)
  return next === undefined ? [] : [await setDefault(tx, next, true)]
}

async function setDefault(tx: Db, addressGuid: string, defaultAddress: boolean): Promise<DebtorChangeNote> {
  await store.updateAddress(tx, addressGuid, { defaultAddress })
  const changes: DebtorChangeNote['changes'] = { defaultAddress: [!defaultAddress, defaultAddress] }
  return { ...makeNote('updated', addressGuid, changes), changes }
}
