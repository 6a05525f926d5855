/** What a form is, as data: its fields in their order and what it needs. Adding one for an existing entity is one of these. */
import type { Static, TProperties, TSchema } from 'typebox'
import type { Operation } from '../../platform/operation.ts'

/** Access rights, in the same terms as an operation. */
export type Access = Pick<Operation, 'access' | 'roles' | 'unrestricted'>

export interface FormLayoutGroup {
  /** Its label is `group.<code>`. */
  code: string
  /** The number of columns of fields. */
  columns: number
  noTopDivider?: boolean
  fields: readonly string[]
}

/** The separator of a list that is written as one text. A backslash escapes it inside an element. */
export type ListSeparator = ',' | '\n'
/** A client restriction: client codes separated by commas, with `/*` after a code that includes its sub-parties. */
export type ListWriting = ListSeparator | 'clients'

/** A list that offers fields of a form in its rows. */
export interface RowEditing {
  list: { name: string; response: TSchema }
  /** The member of a row that identifies the record: the form's `id`. */
  key: string
  /** Columns, each with the field that it shows. */
  cells: Readonly<Record<string, string>>
}

export interface Form {
  entity: string
  /** The name of its record, if that is neither a parameter's nor the entity's name. */
  noun?: string
  /** create, edit, or a step in the record's life cycle. */
  type: string
  /** The dictionary with every field of the groups. */
  fields: TProperties
  groups: readonly FormLayoutGroup[]
  /** Identifiers of the record that answers have besides the fields. */
  keys: readonly string[]
  /**
   * The parameters of the form, and what each identifies. The last one, the record's own, is required except by S1.
   */
  takes: { id?: string; subId?: string; name?: string }
  /** A field of the body that the parameter `id` may give instead, as other forms do, and what it identifies. */
  idGives?: { field: string; noun: string }
  /** The parameter that identifies an existing record; `only` if there is only one such record. */
  record?: 'id' | 'subId' | 'name' | 'only'
  /** For a form that creates: the parameter, used by S5 alone, that identifies the record to delete. */
  removes?: 'subId'
  /** S1, S2 and S9. */
  open: Access
  /** S3 for a form that creates, S4 for one that changes; `body` is its input. */
  submit: Access & { body: TSchema; method: string }
  /** S5. */
  remove?: Access
  /** The list that contains the records. */
  list?: { response: TSchema }
  /** Fields that are often changed alone, in lists that show them. */
  rows?: readonly RowEditing[]
  /** Fields that a new record must have. */
  required?: readonly string[]
  /** Members that are arrays. */
  lists?: Readonly<Record<string, ListWriting>>
  /** S2: its code, and the fields that the result depends on. The button's text is `recalc.<entity>.<code>`. */
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
export const formFields = (layout: Form): string[] => layout.groups.flatMap(({ fields }) => fields)
