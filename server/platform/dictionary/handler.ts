/** The form handlers of a slice: thin functions over those that the REST operations call. */
import type { Static, TSchema } from 'typebox'
import type { Form } from '../../../contract/metadata/forms/form.ts'
import type { EntityWithActions } from '../../../contract/platform/event-types.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller, Origin } from '../http/caller.ts'
import type { IfMatch } from '../http/version.ts'

export interface FormCall<B = undefined> {
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  headers: Record<string, unknown>
  /** Checked if the form takes them; otherwise the empty text. */
  id: string
  subId: string
  name: string
  body: B
}

export interface FormRecord {
  /** Members by name; the answer omits those that the form does not have. */
  record: object
  version?: number
}

export interface CreatedRecord extends FormRecord {
  /** Members that are shown once; see `Answer`. */
  secrets?: readonly string[]
  /** Below the base path. Default: the record's edit form. */
  location?: string
}

/** Where the fields are stored, for their sizes and for custom fields. */
export interface FormTable {
  table: string
  /** Columns whose names do not follow the rule. */
  columns?: Readonly<Record<string, string>>
  /** The table whose event numbers the entity uses: its parent's, if it belongs to another record. */
  subject?: { table: string; parameter: 'id' }
}

export interface FormFunctions<B> {
  storedIn?: FormTable
  /** The initial values of a new record. Throws a 404 when its parent does not exist. */
  defaults?(call: FormCall): object | Promise<object>
  /** The record that the parameters identify. Throws a 404. */
  find?(call: FormCall): Promise<FormRecord>
  /** A named recalculation, which stores nothing. Returns fields with values; the answer omits unchanged ones. */
  recalculate?(code: string, call: FormCall<B>): object | Promise<object>
  create?(call: FormCall<B>): Promise<CreatedRecord>
  /** Returns the version after the change. */
  store?(call: FormCall<B>): Promise<number | undefined>
  remove?(call: FormCall): Promise<void>
}

export type FormHandler = FormFunctions<unknown> & { form: Form }

/** Custom fields need an `updated` event, so only entities with that event can have them. */
type TableOf<Entity> = Entity extends EntityWithActions<'updated'> ? unknown : { storedIn?: never }

/** A form with its functions. The form has checked the body before they are called. */
export const handle = <F extends Form>(
  form: F,
  functions: FormFunctions<F['submit']['body'] extends TSchema ? Static<F['submit']['body']> : never> &
    TableOf<F['entity']>,
): FormHandler => ({ form, ...functions })
