/**
 * Erases a debtor's personal data: the right to erasure of article 17 of the General Data Protection Regulation (EU)
 * 2016/679. Its paragraph 3 excepts what a legal obligation or a legal claim needs: a debtor with an open case, one closed
 * within the time for which books are kept, money owed to them, or an extra field `legalHold` is left alone, and whatever
 * belongs to the ledger stays. The audit trail is append-only: what it holds of before
 * is masked there for all without `audit.read`.
 */
import { debtorFields } from '../contract/debtors.ts'
import { metaOf, personalDataTypes, type PersonalData } from '../contract/fields.ts'
import { defineService, ServiceFailure, type ServiceApi } from 'fordra/service'

interface Input {
  /** Which kinds of personal data; all unless given. */
  personalDataTypeIds?: number[]
}

const holdName = 'legalhold'
const erasedName = 'Erased'

async function requireNoHold(api: ServiceApi, debtorGuid: string): Promise<void> {
  const hold = await api.call('getLegalHold', { params: { debtorGuid } })
  if (hold.held) {
    const reasons = [
      hold.openCases > 0 && `${hold.openCases} open cases: close them first`,
      hold.unpaidCredits > 0 && `${hold.unpaidCredits} cases with credit: settle it first`,
      hold.keptUntil !== null &&
        `${hold.keptCases} closed cases, whose records are kept until ${hold.keptUntil.slice(0, 10)}`,
    ].filter((reason) => reason !== false)
    throw new ServiceFailure(`The debtor is under a legal hold. There are ${reasons.join('; ')}.`)
  }
  const { value } = await api.call('listExtraFields', { params: { debtorGuid }, query: { $top: 100 } })
  if (value.some(({ name }) => name.toLowerCase() === holdName)) {
    throw new ServiceFailure(
      'The debtor is under a legal hold: the extra field legalHold says so. Remove it first.',
    )
  }
}

/** The change that empties every field of the kinds. */
function erasureOf(debtor: object, kinds: ReadonlySet<PersonalData>): Record<string, unknown> {
  const change: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(debtorFields)) {
    const { personalData, readOnly } = metaOf(field)
    const before = (debtor as Record<string, unknown>)[name]
    if (personalData === undefined || !kinds.has(personalData) || readOnly) continue
    if (typeof before === 'string') change[name] = ''
  }
  if (kinds.has('name')) change['fullName'] = erasedName
  if (kinds.has('birth')) change['gender'] = 0
  return change
}

async function removeAll(api: ServiceApi, debtorGuid: string): Promise<number> {
  const addresses = await api.call('listAddresses', { params: { debtorGuid }, query: { $top: 100 } })
  for (const { addressGuid } of addresses.value) {
    await api.call('deleteAddress', { params: { debtorGuid, addressGuid } })
  }
  return addresses.value.length
}

async function removeLetters(api: ServiceApi, debtorGuid: string): Promise<number> {
  for (let removed = 0; ;) {
    const query = { $top: 100 }
    const { value } = await api.call('listDocuments', { params: { debtorGuid }, query })
    for (const { documentGuid } of value) await api.call('deleteDocument', { params: { documentGuid } })
    removed += value.length
    if (value.length === 0) return removed
  }
}

export default defineService<Input>({
  code: 'personal-data-erasure',
  scope: 'debtor',
  description:
    'Erases the personal data of a debtor who is under no legal hold (GDPR article 17); the ledger stays.',
  access: 'debtor.write',
  timeoutMs: 60_000,
  input: {
    type: 'object',
    properties: {
      personalDataTypeIds: {
        type: 'array',
        items: { type: 'integer', enum: Object.values(personalDataTypes) },
        minItems: 1,
      },
    },
    additionalProperties: false,
  },
  handler: async ({ personalDataTypeIds = Object.values(personalDataTypes) }, { api, item }) => {
    const debtorGuid = item!.guid
    await requireNoHold(api, debtorGuid)
    const kinds = new Set(
      Object.entries(personalDataTypes)
        .filter(([, id]) => personalDataTypeIds.includes(id))
        .map(([kind]) => kind as PersonalData),
    )
    const debtor = await api.call('getDebtor', { params: { debtorGuid } })
    const change = erasureOf(debtor, kinds)
    await api.call('updateDebtor', { params: { debtorGuid }, body: change })
    const addresses = kinds.has('address') ? await removeAll(api, debtorGuid) : 0
    // A letter has name and address in it.
    const hasLetters = kinds.has('name') || kinds.has('address')
    const letters = hasLetters ? await removeLetters(api, debtorGuid) : 0
    return { erased: Object.keys(change), addresses, letters }
  },
})
