import * as contract from '../../../contract/parties/addresses.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import { done, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { addAddress, changeAddress, confirmAddress, removeAddress } from './addresses.changes.ts'
import { findAddress, listAddresses, type StoredAddress } from './addresses.store.ts'
import { requireDebtor } from './debtor-lock.ts'

export function serveAddresses(service: ServerContext): void {
  const { clock, customFields, settings, totals } = service
  const countryCode = settings.FORDRA_COUNTRY

  serve(service, contract.listAddresses, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return {
      body: await listAddresses(db, debtor, query, {
        totals,
        today: clock.today(),
        customFields: customProperties(await customFields.of('address'), 'a'),
      }),
    }
  })

  serve(service, contract.createAddress, async ({ db, caller, params: { debtorGuid }, body, origin }) => {
    const made = await addAddress(db, caller, { debtorGuid, input: body }, { origin, countryCode })
    return { ...makeResponse(made), location: `/debtors/${debtorGuid}/addresses/${made.addressGuid}` }
  })

  serve(service, contract.getAddress, async ({ db, caller, params }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    const address = await findAddress(db, debtor, params.addressGuid)
    if (!address) throw notFound('address')
    return makeResponse(address)
  })

  serve(service, contract.updateAddress, async ({ db, caller, params, body, origin, ifMatch, path }) => {
    const version = await changeAddress(
      db,
      caller,
      { ...params, input: body, ifMatch },
      { origin, countryCode },
    )
    return { body: done('The address is updated.', path), version }
  })

  serve(service, contract.confirmAddress, async ({ db, caller, params, origin, ifMatch, path }) => {
    const version = await confirmAddress(db, caller, { ...params, ifMatch }, origin)
    return { body: done('The address is confirmed.', path), version }
  })

  serve(service, contract.deleteAddress, async ({ db, caller, params, origin, ifMatch, path }) => {
    await removeAddress(db, caller, { ...params, ifMatch }, origin)
    return { body: done('The address is deleted.', path) }
  })
}

const makeResponse = ({ version, markedByService: _mark, ...body }: StoredAddress) => ({ body, version })
