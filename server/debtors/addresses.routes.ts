import * as contract from '../../contract/addresses.ts'
import { inTransaction, type Db } from '../database/transaction.ts'
import { changesBetween, changesOfNew } from '../events/record.ts'
import { done, MemberChecks, notFound } from '../http/errors.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { requireMatch } from '../http/version.ts'
import { applyAddressInput, noAddress, type AddressRecord } from './addresses.rules.ts'
import * as store from './addresses.store.ts'
import { lockDebtor, requireDebtor, type DebtorChangeNote } from './debtor-lock.ts'
import { refreshShownAddress } from './debtors.store.ts'

export function serveAddresses(service: Service): void {
  const { clock, settings, totals } = service

  const prepare = (before: AddressRecord, input: contract.AddressInput): AddressRecord => {
    const checks = new MemberChecks()
    const record = applyAddressInput(before, input, settings.FORDRA_COUNTRY, checks)
    checks.throwIfAny()
    return record
  }

  serve(service, contract.listAddresses, async ({ db, caller, params, query }) => {
    await requireDebtor(db, caller, params.debtorGuid)
    return { body: await store.listAddresses(db, params.debtorGuid, query, { totals, today: clock.today() }) }
  })

  serve(service, contract.createAddress, async ({ db, caller, params, body, origin }) => {
    const { debtorGuid } = params
    const record = prepare(noAddress, body)
    const made = await inTransaction(db, async (tx) => {
      const note = await lockDebtor(tx, caller, debtorGuid, origin)
      const cleared = record.defaultAddress ? await clearDefault(tx, debtorGuid, null) : []
      const addressGuid = await store.insertAddress(tx, debtorGuid, record)
      await refreshShownAddress(tx, debtorGuid, clock.today())
      await note([...cleared, { ...noteOf('created', addressGuid), changes: changesOfNew(record) }])
      return (await store.findAddress(tx, debtorGuid, addressGuid))!
    })
    return { ...answerOf(made), location: `/debtors/${debtorGuid}/addresses/${made.addressGuid}` }
  })

  serve(service, contract.getAddress, async ({ db, caller, params }) => {
    await requireDebtor(db, caller, params.debtorGuid)
    const address = await store.findAddress(db, params.debtorGuid, params.addressGuid)
    if (!address) throw notFound('address')
    return answerOf(address)
  })

  serve(service, contract.updateAddress, async ({ db, caller, params, body, origin, ifMatch, path }) => {
    const { debtorGuid, addressGuid } = params
    const version = await inTransaction(db, async (tx) => {
      const note = await lockDebtor(tx, caller, debtorGuid, origin)
      const before = await store.findAddress(tx, debtorGuid, addressGuid)
      if (!before) throw notFound('address')
      requireMatch(ifMatch, before.version)
      const record = prepare(recordOf(before), body)
      const changes = changesBetween(recordOf(before), record)
      if (Object.keys(changes).length === 0) return before.version
      const cleared = record.defaultAddress ? await clearDefault(tx, debtorGuid, addressGuid) : []
      await store.updateAddress(tx, addressGuid, valuesOf(changes))
      await refreshShownAddress(tx, debtorGuid, clock.today())
      await note([...cleared, { ...noteOf('updated', addressGuid, changes), changes }])
      return before.version + 1
    })
    return { body: done('The address is updated.', path), version }
  })

  serve(service, contract.deleteAddress, async ({ db, caller, params, origin, ifMatch, path }) => {
    const { debtorGuid, addressGuid } = params
    await inTransaction(db, async (tx) => {
      const note = await lockDebtor(tx, caller, debtorGuid, origin)
      const before = await store.findAddress(tx, debtorGuid, addressGuid)
      if (!before) throw notFound('address')
      requireMatch(ifMatch, before.version)
      await store.deleteAddress(tx, addressGuid)
      const moved = before.defaultAddress === true ? await moveDefault(tx, debtorGuid, clock.today()) : []
      await refreshShownAddress(tx, debtorGuid, clock.today())
      await note([
        { ...noteOf('deleted', addressGuid), changes: changesBetween(recordOf(before), nothing) },
        ...moved,
      ])
    })
    return { body: done('The address is deleted.', path) }
  })
}

const names = Object.keys(noAddress) as (keyof AddressRecord)[]
const nothing = Object.fromEntries(names.map((name) => [name, null]))

const recordOf = (address: contract.Address): AddressRecord =>
  Object.fromEntries(names.map((name) => [name, address[name]])) as unknown as AddressRecord

const valuesOf = (changes: DebtorChangeNote['changes']): Partial<AddressRecord> =>
  Object.fromEntries(Object.entries(changes).map(([name, [, value]]) => [name, value]))

const noteOf = (action: string, addressGuid: string, changes?: object) => ({
  type: `address.${action}`,
  entityId: addressGuid,
  data: { addressGuid, ...(changes && { changed: Object.keys(changes) }) },
})

const answerOf = ({ version, ...body }: store.StoredAddress) => ({ body, version })

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
  return { ...noteOf('updated', addressGuid, changes), changes }
}
