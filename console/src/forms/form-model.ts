/** The state of a form during editing, shared by its view, inputs and dialogs. */
import type { UseFormReturnType } from '@mantine/form'
import type { FormField, FormSource, Typed } from './definition.ts'

export type Values = Record<string, Typed>
export type Form = UseFormReturnType<Values>

/** The properties of every input. */
export interface InputProps {
  field: FormField
  label: string
  form: Form
  source: FormSource
}
