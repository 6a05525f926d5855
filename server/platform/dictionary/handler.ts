/** What a slice gives the engine for each of its forms: thin functions over those that the REST operations call. */
import type { Static, TSchema } from 'typebox'
import type { Form } from '../../../contract/metadata/forms/form.ts'
import type { EntityWith } from '../../../contract/platform/event-types.ts'
import type { Db } from '../database/transaction.ts'
import type { Caller, Origin } from '../http/caller.ts'
import type { IfMatch } from '../http/version.ts'

export interface FormCall<B = undefined> {
  db: Db
  caller: Caller
  origin: Origin
  ifMatch: IfMatch
  headers: Record<string, unknown>
  /** Checked, as far as the form takes them; else the empty text. */
  id: string
  subId: string
  name: string
  body: B
}

export interface FormRecord {
  /** Members by their names; those that the form does not have are left out of the answer. */
  record: object
  version?: number
}

export interface CreatedRecord extends FormRecord {
  /** Members that are shown once; see `Answer`. */
  secrets?: readonly string[]
  /** Below the base path; none makes it the record's edit form. */
  location?: string
}

/** Where the fields are kept, for their sizes and for user-defined fields. */
export interface FormTable {
  table: string
  /** Columns not named by the rule. */
  columns?: Readonly<Record<string, string>>
  /** The table whose event sequence the entity's events go by: another one's for what belongs to it. */
  subject?: { table: string; parameter: 'id' }
}

export interface FormFunctions<B> {
  storedIn?: FormTable
  /** What a new record begins with. Throws a 404 where it would belong to one that is not there. */
  defaults?(call: FormCall): object | Promise<object>
  /** The record that the parameters name. Throws a 404. */
  find?(call: FormCall): Promise<FormRecord>
  /** A named recalculation, which stores nothing. Returns fields with their values; those unchanged are left out of the answer. */
  recalculate?(code: string, call: FormCall<B>): object | Promise<object>
  create?(call: FormCall<B>): Promise<CreatedRecord>
  /** Returns the version after the change. */
  store?(call: FormCall<B>): Promise<number | undefined>
  remove?(call: FormCall): Promise<void>
}

export type FormHandler = FormFunctions<unknown> & { form: Form }

/** Only where an event can tell that a record was changed can it have fields of the installation's own. */
type TableOf<Entity> = Entity extends EntityWith<'updated'> ? unknown : { storedIn?: never }

/** A form with its functions. The body that they get has been checked against the form's. */
export const handle = <F extends Form>(
  form: F,
  functions: FormFunctions<F['submit']['body'] extends TSchema ? Static<F['submit']['body']> : never> &
    TableOf<F['entity']>,
): FormHandler => ({ form, ...functions })
