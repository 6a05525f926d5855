/**
 * Erases a debtor's personal data: the right to erasure of article 17 of the General Data Protection Regulation (EU)
 * 2016/679. Its paragraph 3 excepts what a legal obligation or a legal claim needs: a debtor with an open case, one closed
 * within the time for which books are kept, money owed to them, or an extra field `legalHold` is left alone, and whatever
 * belongs to the ledger stays. Of free text (extra fields, notes) nobody knows what it tells: it goes when all kinds are
 * erased. The operation `eraseDebtor` erases what the audit trail and others keep of it.
 */
import { debtorFields } from '../contract/parties/debtors.ts'
import { fieldMeta, personalDataTypes, type PersonalData } from '../contract/metadata/fields.ts'
import { defineService, readAll, ServiceApiError, ServiceFailure, type ServiceApi } from 'fordra/service'

interface Input {
  /** Which kinds of personal data; all unless given. */
  personalDataTypeIds?: number[]
}

const holdName = 'legalHold'
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
  if (await hasExtraField(api, debtorGuid, holdName)) {
    throw new ServiceFailure(
      'The debtor is under a legal hold: the extra field legalHold says so. Remove it first.',
    )
  }
}

async function hasExtraField(api: ServiceApi, debtorGuid: string, name: string): Promise<boolean> {
  try {
    await api.call('getExtraField', { params: { debtorGuid, name } })
    return true
  } catch (error) {
    if (error instanceof ServiceApiError && error.code === 'not-found') return false
    throw error
  }
}

/** The change that empties every field of the kinds. */
function buildErasure(debtor: object, kinds: ReadonlySet<PersonalData>): Record<string, unknown> {
  const change: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(debtorFields)) {
    const { personalData, readOnly } = fieldMeta(field)
    const before = (debtor as Record<string, unknown>)[name]
    if (personalData === undefined || !kinds.has(personalData) || readOnly) continue
    if (typeof before === 'string') change[name] = ''
  }
  if (kinds.has('name')) change['fullName'] = erasedName
  if (kinds.has('birth')) change['gender'] = 0
  return change
}

const editForm = { objectname: 'debtor', formcode: 'edit' }

/** Empties the custom fields of these kinds. Returns the codes of those it emptied, and of those that must have a value. */
async function emptyCustomFields(api: ServiceApi, debtorGuid: string, kindIds: readonly number[]) {
  const form = await api.call('getFormDefinition', { params: editForm })
  const query = { id: debtorGuid }
  const params = { entity: editForm.objectname, type: editForm.formcode }
  const values = await api.call('getFormValues', { params, query: { ...query, initialValues: true } })
  const own = form.groups
    .flatMap(({ fields }) => fields)
    .filter(({ code, personalDataTypeId }) => {
      return !(code in debtorFields) && kindIds.includes(personalDataTypeId) && code in values
    })
  const [emptied, kept] = [true, false].map((wanted) =>
    own.filter(({ allowNull, required }) => (allowNull && !required) === wanted).map(({ code }) => code),
  ) as [string[], string[]]
  if (emptied.length > 0) {
    const body = Object.fromEntries(emptied.map((code) => [code, '']))
    await api.call('storeFromForm', { params, query, body })
  }
  return { emptied, kept }
}

/** Removes what a list has, page by page, until it has nothing; returns how many there were. */
async function removeAll<T>(
  list: (query: { $top: number }) => Promise<{ value: T[] }>,
  remove: (one: T) => Promise<unknown>,
): Promise<number> {
  for (let removed = 0; ;) {
    const { value } = await list({ $top: 100 })
    for (const one of value) await remove(one)
    removed += value.length
    if (value.length === 0) return removed
  }
}

const removeAddresses = (api: ServiceApi, debtorGuid: string) =>
  removeAll(
    (query) => api.call('listAddresses', { params: { debtorGuid }, query }),
    ({ addressGuid }) => api.call('deleteAddress', { params: { debtorGuid, addressGuid } }),
  )

const removeLetters = (api: ServiceApi, debtorGuid: string) =>
  removeAll(
    (query) => api.call('listDocuments', { params: { debtorGuid }, query }),
    ({ documentGuid }) => api.call('deleteDocument', { params: { documentGuid } }),
  )

const removeExtraFields = (api: ServiceApi, debtorGuid: string) =>
  removeAll(
    (query) => api.call('listExtraFields', { params: { debtorGuid }, query }),
    ({ name }) => api.call('deleteExtraField', { params: { debtorGuid, name } }),
  )

/** The notes about the debtor, and about the cases whose main debtor they are. */
async function removeNotes(api: ServiceApi, debtorGuid: string): Promise<number> {
  const params = { entity: 'note', type: 'edit' }
  const removeFrom = (id: string) => (note: { noteGuid: string }) =>
    api.call('deleteFromForm', { params, query: { id, subId: note.noteGuid } })
  let removed = await removeAll(
    (query) => api.call('listDebtorNotes', { params: { debtorGuid }, query }),
    removeFrom(debtorGuid),
  )
  const $filter = `mainDebtorGuid eq ${debtorGuid}`
  for (const { caseGuid } of await readAll((page) =>
    api.call('listAllCases', { query: { ...page, $filter, $orderby: 'caseNumber' } }),
  )) {
    removed += await removeAll(
      (query) => api.call('listCaseNotes', { params: { caseGuid }, query }),
      removeFrom(caseGuid),
    )
  }
  return removed
}

/** Takes the name out of the addresses, which stay. */
async function removeNames(api: ServiceApi, debtorGuid: string): Promise<void> {
  const params = { debtorGuid }
  for (const { addressGuid, fullName } of await readAll((query) =>
    api.call('listAddresses', { params, query }),
  )) {
    if (fullName === null) continue
    await api.call('updateAddress', { params: { debtorGuid, addressGuid }, body: { fullName: '' } })
  }
}

export default defineService<Input>({
  code: 'personal-data-erasure',
  scope: 'debtor',
  description:
    'Erases the personal data of a debtor who is under no legal hold (GDPR article 17); the ledger stays.',
  access: 'debtor.write',
  timeoutMs: 300_000,
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
    const change = buildErasure(debtor, kinds)
    await api.call('updateDebtor', { params: { debtorGuid }, body: change })
    const customFields = await emptyCustomFields(api, debtorGuid, personalDataTypeIds)
    const addresses = kinds.has('address') ? await removeAddresses(api, debtorGuid) : 0
    if (kinds.has('name') && !kinds.has('address')) await removeNames(api, debtorGuid)
    // A letter has name and address in it.
    const hasLetters = kinds.has('name') || kinds.has('address')
    const letters = hasLetters ? await removeLetters(api, debtorGuid) : 0
    // What a free text tells nobody knows: any kind of personal data may be in it.
    const isWhole = kinds.size === Object.keys(personalDataTypes).length
    const extraFields = isWhole ? await removeExtraFields(api, debtorGuid) : 0
    const notes = isWhole ? await removeNotes(api, debtorGuid) : 0
    // What the trail, stored answers, jobs, messages, the search and reports keep of these kinds.
    const { entries } = await api.call('eraseDebtor', {
      params: { debtorGuid },
      body: { personalDataTypeIds: [...personalDataTypeIds] },
    })
    const erased = [...Object.keys(change), ...customFields.emptied]
    return { erased, addresses, letters, extraFields, notes, auditEntries: entries, kept: customFields.kept }
  },
})
