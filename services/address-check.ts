/**
 * Marks a debtor's addresses that cannot be written to as not valid: those without a street or a place, and the one that
 * mail came back from.
 */
import { defineService, readAll } from 'fordra/service'

interface Input {
  /** The address that mail was returned from. */
  returnedFrom?: string
}

export default defineService<Input>({
  code: 'address-check',
  scope: 'debtor',
  description: 'Marks addresses that mail came back from, or that lack street or place, as not valid.',
  access: 'debtor.write',
  input: {
    type: 'object',
    properties: { returnedFrom: { type: 'string', format: 'uuid' } },
    additionalProperties: false,
  },
  handler: async ({ returnedFrom }, { api, item, businessDate }) => {
    const debtorGuid = item!.guid
    if (returnedFrom !== undefined)
      await api.call('getAddress', { params: { debtorGuid, addressGuid: returnedFrom } })
    const addresses = await readAll((query) => api.call('listAddresses', { params: { debtorGuid }, query }))
    const wrong = addresses.filter(
      ({ addressGuid, addressNotValidDate, street, city, zipCode }) =>
        addressNotValidDate === null &&
        (addressGuid === returnedFrom?.toLowerCase() || !street || !(city || zipCode)),
    )
    for (const { addressGuid } of wrong) {
      const body = { addressNotValidDate: businessDate }
      await api.call('updateAddress', { params: { debtorGuid, addressGuid }, body })
    }
    return { checked: addresses.length, notValid: wrong.map(({ addressGuid }) => addressGuid) }
  },
})
