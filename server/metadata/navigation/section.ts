/** An operation by its number or name, or a form by entity and type. */
export type Opens = { operation: string } | { form: readonly [entity: string, type: string] }

export interface Place {
  /** Its texts are `navigation.<code>` and `navigation.<code>.about`. */
  code: string
  url: string
  opens: Opens
  /** It lists what belongs to the agency alone: not for users restricted to clients, for whom it would be empty. */
  ofAgency?: true
}

export interface Section extends Omit<Place, 'opens' | 'ofAgency'> {
  icon: string
  /** A section is shown when one of these is. */
  places: readonly Place[]
}

export const operation = (id: string): Opens => ({ operation: id })
export const form = (entity: string, type: string): Opens => ({ form: [entity, type] })
