/** In each language, in their order: en, sv, no, da, fi, de. */
export type Words = readonly [en: string, sv: string, no: string, da: string, fi: string, de: string]

/** An operation by its number or name, or a form by entity and type. */
export type Opens = { operation: string } | { form: readonly [entity: string, type: string] }

export interface Place {
  code: string
  url: string
  label: Words
  description: Words
  opens: Opens
}

export interface Section extends Omit<Place, 'opens'> {
  icon: string
  /** A section is shown when one of these is. */
  places: readonly Place[]
}

export const operation = (id: string): Opens => ({ operation: id })
export const form = (entity: string, type: string): Opens => ({ form: [entity, type] })
