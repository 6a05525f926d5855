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

/** What a field holds while it is edited: a text as typed, or a tick. */
export type Typed = string | boolean

/** Where a form comes from and where it goes. */
export interface FormSource {
  definition: FormDefinition
  values: FormValues
  /** Of the record that is changed. */
  etag?: string | undefined
  /** What is there now, when somebody else has changed it meanwhile. */
  reload?: () => Promise<{ values: FormValues; etag: string | undefined }>
  /** Takes the values that changed; all that are filled in for a new record. */
  submit: (
    values: Record<string, FormValue | null>,
    options: { ifMatch?: string; allowDuplicate?: boolean },
  ) => Promise<FormValues | undefined>
  recalculate?: (code: string, values: FormValues, signal: AbortSignal) => Promise<FormValues>
  lookup: (code: string, text: string, signal: AbortSignal) => Promise<LookupValue[]>
  /** The text of one value. */
  describe: (code: string, key: string) => Promise<string>
}

export const definitionFields = (definition: FormDefinition): FormField[] =>
  definition.groups.flatMap(({ fields }) => fields)
