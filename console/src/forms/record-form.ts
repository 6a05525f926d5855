/** What forms over the contract's operations have in common. */
import { i18n } from '../texts/languages.ts'
import type { FormDefinition, FormSource, FormValue, FormValues } from './definition.ts'
import type { FormPlace } from './form-place.ts'
import { describe, lookUp } from './server-form.ts'

export type Load = (place: FormPlace) => Promise<FormSource>
export const lookups = { lookup: lookUp, describe }
export const t = (key: Parameters<typeof i18n.t>[0]) => (i18n.t as (key: string) => string)(key as string)
export const create = () => ({ submitMethod: 'POST' as const, submitBtnText: t('action.create') })
export const store = () => ({ submitMethod: 'PATCH' as const, submitBtnText: t('action.save') })
export const flat = (record: object): FormValues =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, FormValue] =>
      ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  )

/** A form that changes a record: read it, and store with the version that was read. */
export async function changing(
  definition: FormDefinition,
  read: () => Promise<{ body: object; etag: string | undefined }>,
  write: (body: object, options: { ifMatch?: string; headers?: Record<string, string> }) => Promise<unknown>,
): Promise<FormSource> {
  const load = async () => {
    const { body, etag } = await read()
    return { values: flat(body), etag: etag ?? '' }
  }
  return {
    ...lookups,
    definition,
    ...(await load()),
    reload: load,
    submit: async (body, { ifMatch, allowDuplicate }) => {
      await write(body, { ...(ifMatch && { ifMatch }), ...(allowDuplicate && duplicate) })
      return undefined
    },
  }
}

export const duplicate = { headers: { 'X-Allow-Duplicate': 'true' } }
