/** Every form by entity and type: the service's own where it has one, else made of the contract. */
import type { FormSource } from './definition.ts'
import type { FormPlace } from './form-place.ts'
import { localForms } from './local-forms.ts'
import { loadServerForm } from './server-form.ts'

export async function loadForm(entity: string, type: string, place: FormPlace = {}): Promise<FormSource> {
  const served = await loadServerForm(entity, type, place)
  const source = served ?? (await localForms[`${entity} ${type}`]?.(place))
  if (!source) throw new Error(`There is no form ${entity} ${type}.`)
  return source
}
