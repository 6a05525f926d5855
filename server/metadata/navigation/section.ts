import type { DeclaredOperation } from '../../../contract/api.ts'
import type { Texts } from '../../../core/text/texts.ts'

export type OperationName = DeclaredOperation['name']

/** An operation by its name, or a form by entity and type. */
export type Opens = { operation: OperationName } | { form: readonly [entity: string, type: string] }

type TextKey = keyof Texts['navigation']
/** A code whose texts `navigation.<code>` and `navigation.<code>.about` both exist. */
export type PlaceCode = { [K in TextKey]: `${K}.about` extends TextKey ? K : never }[TextKey]

export interface Place {
  code: PlaceCode
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

export const operation = (name: OperationName): Opens => ({ operation: name })
export const form = (entity: string, type: string): Opens => ({ form: [entity, type] })
