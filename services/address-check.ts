/**
 * Marks a debtor's addresses that cannot be written to as not valid: those without a street or a place, and the one that
 * mail came back from. It confirms the others, and leaves what a person confirmed against it. An address that the platform keeps in one line, because it cannot split it, can be written to.
 */
import { defineService, readAll } from 'fordra/service'
import type { Address } from '../contract/parties/addresses.ts'

type AddressText = Pick<
  Address,
  'street' | 'houseNo' | 'houseNoExtension' | 'city' | 'zipCode' | 'stateCode' | 'fullName' | 'fullAddress'
>

interface Input {
  /** The address that mail was returned from. */
  returnedFrom?: string
}

export default defineService<Input>({
  code: 'address-check',
  scope: 'debtor',
  description:
    'Marks addresses that mail came back from, or that lack street or place, as not valid, and confirms the others.',
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
    const unmarked = addresses.filter(({ addressNotValidDate }) => addressNotValidDate === null)
    const isReturned = ({ addressGuid }: Address) => addressGuid === returnedFrom?.toLowerCase()
    const isWrong = (one: Address) => isReturned(one) || (!isWritable(one) && one.validOverride !== true)
    const wrong = unmarked.filter(isWrong)
    for (const { addressGuid } of wrong) {
      const body = { addressNotValidDate: businessDate }
      await api.call('updateAddress', { params: { debtorGuid, addressGuid }, body })
    }
    for (const one of unmarked.filter((address) => !isWrong(address) && isWritable(address)))
      await api.call('confirmAddress', { params: { debtorGuid, addressGuid: one.addressGuid } })
    return { checked: addresses.length, notValid: wrong.map(({ addressGuid }) => addressGuid) }
  },
})

/** True for a street with a place, or a line of several words that the parts beside it do not make. */
function isWritable({ street, city, zipCode, fullName, fullAddress, ...rest }: AddressText): boolean {
  if (street && (city || zipCode)) return true
  const parts = [fullName, street, rest.houseNo, rest.houseNoExtension, zipCode, city, rest.stateCode]
  const left = parts.reduce<string>((line, part) => line.replace(part ?? '', ''), fullAddress ?? '')
  return /[\p{L}\p{N}]/u.test(left) && /\S\s+\S/.test(fullAddress ?? '')
}
