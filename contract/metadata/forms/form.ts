/** What a form is, as data: its fields in their order and what it needs. Adding one for an existing entity is one of these. */
import type { Static, TProperties, TSchema } from 'typebox'
import type { Operation } from '../../platform/operation.ts'

/** Who may do something: as an operation says it. */
export type Access = Pick<Operation, 'access' | 'roles'>

export interface FormLayoutGroup {
  /** Its label is `group.<code>`. */
  code: string
  /** How many fields stand beside each other. */
  columns: number
  noTopDivider?: boolean
  fields: readonly string[]
}

/** How a member that is an array is written in one text: its elements separated so, a backslash before one that is not. */
export type ListSeparator = ',' | '\n'
/** A client restriction is a list of client codes by commas, `/*` after one that stands for those below it too. */
export type ListWriting = ListSeparator | 'clients'

export interface Form {
  entity: string
  /** What a record of it is called, where that is no parameter's and not the entity's name. */
  noun?: string
  /** create, edit, or a step in the record's life. */
  type: string
  /** The dictionary that has every field of the groups. */
  fields: TProperties
  groups: readonly FormLayoutGroup[]
  /** Identifiers of the record, answered besides the fields. */
  keys: readonly string[]
  /** Which parameters the form takes, and what each identifies; a record's own, the last one, is needed but by S1. */
  takes: { id?: string; subId?: string; name?: string }
  /** The parameter that says which record it is, when it is about one that exists; `only` where there is no other. */
  record?: 'id' | 'subId' | 'name' | 'only'
  /** On a form that creates: the parameter that only S5 takes, for which of the records it deletes. */
  removes?: 'subId'
  /** S1, S2 and S9. */
  open: Access
  /** S3 of a form that creates, S4 of one that changes; `body` is what it takes. */
  submit: Access & { body: TSchema; method: string }
  /** S5. */
  remove?: Access
  /** The list in which the records stand. */
  list?: { response: TSchema }
  /** Fields that a new record cannot do without. */
  required?: readonly string[]
  /** Members that are arrays. */
  lists?: Readonly<Record<string, ListWriting>>
  /** S2: its code, and the fields that the outcome depends on. The button's text is `recalc.<entity>.<code>`. */
  recalculations?: readonly { code: string; fields: readonly string[] }[]
}

type Placed<F extends Form> = F['groups'][number]['fields'][number]
/** The members of the form's body that no group has, and the members of groups that the dictionary lacks. */
type Misplaced<F extends Form> =
  | Exclude<keyof Static<F['submit']['body']> & string, Placed<F>>
  | Exclude<Placed<F>, keyof F['fields'] & string>

/** Declares a form and keeps its exact types, for its handler. Every member of its body needs a place in a group. */
export const form = <const F extends Form>(
  layout: F & ([Misplaced<F>] extends [never] ? unknown : { groups: { misplaced: Misplaced<F> } }),
): F => layout

/** Every field of a form, in order. */
export const fieldsOf = (layout: Form): string[] => layout.groups.flatMap(({ fields }) => fields)
