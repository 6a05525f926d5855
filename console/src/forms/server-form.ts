/** A form that the service defines: S9 gives its layout, S1 its values, S2 to S4 recalculate and submit it. */
import { api } from '../api/client.ts'
import type { FormSource, LookupValue } from './definition.ts'
import type { FormPlace } from './form-place.ts'

/** Throws the service's problem if the form does not exist or the user may not open it. */
export async function loadForm(entity: string, type: string, place: FormPlace = {}): Promise<FormSource> {
  const where = { entity, type, ...place }
  const read = () => api.withAnswer.getFormValues({ ...where, initialValues: true })
  const [definition, { body: values, etag }] = await Promise.all([
    api.getFormDefinition({ objectname: entity, formcode: type }),
    read(),
  ])
  const stores = definition.submitMethod.toUpperCase() === 'PATCH'
  return {
    definition,
    values,
    subject: place.id,
    ...(stores && {
      etag: etag ?? '',
      reload: () => read().then((fresh) => ({ values: fresh.body, etag: fresh.etag })),
    }),
    submit: async (body, { ifMatch, allowDuplicate }) => {
      const options = {
        ...(stores && ifMatch && { ifMatch }),
        ...(allowDuplicate && { headers: { 'X-Allow-Duplicate': 'true' } }),
      }
      if (!stores) return api.createFromForm({ ...where, body }, options)
      await api.storeFromForm({ ...where, body }, options)
      return undefined
    },
    recalculate: (recalc, body, signal) => api.recalculateForm({ ...where, recalc, body }, { signal }),
    lookup: lookUp,
    ...(entity === 'note' && { mentions: listNames }),
    describe,
  }
}

/** Users who handle cases. None for who may not see them. */
const listNames = () =>
  api.listWorkOwners().then(
    ({ users }) => users.map(({ fullName }) => fullName),
    () => [],
  )

/** The values of a lookup (S7), those of `narrow` alone, such as the municipalities of a country. */
export async function lookUp(
  lookupcode: string,
  text: string,
  signal: AbortSignal,
  narrow?: string,
): Promise<LookupValue[]> {
  const { values } = await api.searchLookup(
    {
      lookupcode,
      body: { searchStr: text === '' ? null : text, ...(narrow !== undefined && { arguments: [narrow] }) },
    },
    { signal },
  )
  return values.map(({ lookupKey, description }) => ({ key: lookupKey, text: description }))
}

export async function describe(lookupcode: string, key: string): Promise<string> {
  const { values } = await api.getLookupValue({ lookupcode, key })
  return values[0]?.description ?? key
}
