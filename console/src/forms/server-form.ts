/** A form that the service defines: S9 for its layout, S1 for its values, S2 to S4 for what is done with it. */
import { answerLater, callLater, findLater, type LookupValues } from '../api/later.ts'
import { isProblem } from '../api/queries.ts'
import type { FormDefinition, FormSource, FormValues, LookupValue } from './definition.ts'
import type { FormPlace } from './form-place.ts'
import { findLocalValues, describeLocalValue } from './local-lookups.ts'

const forms = '/system/forms/:entity/:type'
const names = {
  definition: findLater('GET', '/system/formdefinitions/:objectname/:formcode'),
  values: findLater('GET', forms),
  recalculate: findLater('POST', `${forms}/recalculate`),
  create: findLater('POST', forms),
  store: findLater('PATCH', forms),
  lookup: findLater('POST', '/system/lookups/:lookupcode'),
  lookupKey: findLater('GET', '/system/lookups/:lookupcode/:key'),
}

export const servesForms = names.definition !== undefined && names.values !== undefined

/** Undefined where the service has no such form. */
export async function loadServerForm(
  entity: string,
  type: string,
  place: FormPlace,
): Promise<FormSource | undefined> {
  if (!servesForms) return undefined
  const where = { entity, type, ...place }
  const read = () => answerLater<FormValues>(names.values!, { ...where, initialValues: true })
  try {
    const [definition, { body: values, etag }] = await Promise.all([
      callLater<FormDefinition>(names.definition!, { objectname: entity, formcode: type }),
      read(),
    ])
    const stores = definition.submitMethod.toUpperCase() === 'PATCH'
    return {
      definition,
      values,
      ...(stores && {
        etag: etag ?? '',
        reload: () => read().then((fresh) => ({ values: fresh.body, etag: fresh.etag })),
      }),
      submit: async (body, { ifMatch, allowDuplicate }) => {
        const options = {
          ...(stores && ifMatch && { ifMatch }),
          ...(allowDuplicate && { headers: { 'X-Allow-Duplicate': 'true' } }),
        }
        const answer = await callLater<FormValues>(
          stores ? names.store! : names.create!,
          { ...where, body },
          options,
        )
        return stores ? undefined : answer
      },
      recalculate: (recalc, body, signal) =>
        callLater<FormValues>(names.recalculate!, { ...where, recalc, body }, { signal }),
      lookup: lookUp,
      describe,
    }
  } catch (error) {
    if (isProblem(error, 'not-found') && place.id === undefined) return undefined
    throw error
  }
}

/** S7, or what the browser knows by itself as long as the service has no lookups. */
export async function lookUp(lookupcode: string, text: string, signal: AbortSignal): Promise<LookupValue[]> {
  if (names.lookup === undefined) return findLocalValues(lookupcode, text)
  const { values } = await callLater<LookupValues>(
    names.lookup,
    { lookupcode, body: { searchStr: text === '' ? null : text } },
    { signal },
  )
  return values.map(({ lookupKey, description }) => ({ key: lookupKey, text: description }))
}

export async function describe(lookupcode: string, key: string): Promise<string> {
  if (names.lookupKey === undefined) return describeLocalValue(lookupcode, key)
  const { values } = await callLater<LookupValues>(names.lookupKey, { lookupcode, key })
  return values[0]?.description ?? key
}
