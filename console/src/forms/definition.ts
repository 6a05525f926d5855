/** The shapes of S1, S2 and S9 (the specification's "Form definition"), as far as a screen needs them. */

export type FormValue = string | number | boolean
export type FormValues = Record<string, FormValue>

export interface FormField {
  code: string
  editCode: string
  displayCode: string
  type: string
  displayType: string
  shortLabel: string
  longLabel: string
  description: string
  lookupCode: string
  minValue: string
  maxValue: string
  specificValues: string
  length: number
  multiline: number
  required: boolean
  mustMatchLookup: boolean
}
export interface FormGroup {
  label: string
  columns: number
  noTopDivider: boolean
  fields: FormField[]
}
export interface FormDefinition {
  title: string
  submitMethod: string
  submitBtnText: string
  recalc: { recalcCode: string; btnText: string; fields: string[] }[]
  groups: FormGroup[]
}

export interface LookupValue {
  key: string
  text: string
}

/** The value of a field during editing: the text as typed, or whether a box is checked. */
export type Typed = string | boolean

/** Loads and submits a form. */
export interface FormSource {
  definition: FormDefinition
  values: FormValues
  /** The currency of its amounts, unless the form has a field for it. */
  currency?: string | undefined
  /** It is filled and only waits for its button, which has the focus. */
  isReady?: boolean
  /** The record that the form is about. */
  subject?: string | undefined
  /** The version of the record to change. */
  etag?: string | undefined
  /** Reads the stored values again after another user has changed the record. */
  reload?: () => Promise<{ values: FormValues; etag: string | undefined }>
  /** Submits the changed values, or for a new record all values that are filled in. */
  submit: (
    values: Record<string, FormValue | null>,
    options: { ifMatch?: string; allowDuplicate?: boolean },
  ) => Promise<FormValues | undefined>
  recalculate?: (code: string, values: FormValues, signal: AbortSignal) => Promise<FormValues>
  /** The values of a field that are known beforehand, in place of its lookup. */
  choices?: Record<string, readonly LookupValue[]> | undefined
  lookup: (code: string, text: string, signal: AbortSignal) => Promise<LookupValue[]>
  /** The names that can be mentioned in its texts. Left out for a form without mentions. */
  mentions?: () => Promise<string[]>
  /** The label of a value. */
  describe: (code: string, key: string) => Promise<string>
}

export const definitionFields = (definition: FormDefinition): FormField[] =>
  definition.groups.flatMap(({ fields }) => fields)
