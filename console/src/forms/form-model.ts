/** What a form holds while it is edited: shared by its view, its inputs and its dialogs. */
import type { UseFormReturnType } from '@mantine/form'
import type { FormField, FormSource, Typed } from './definition.ts'

export type Values = Record<string, Typed>
export type Form = UseFormReturnType<Values>

/** What every input of one field gets. */
export interface InputProps {
  field: FormField
  label: string
  form: Form
  source: FormSource
}
