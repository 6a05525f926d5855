/** A form definition made of the contract's dictionary, for what the service defines no form for yet. */
import { labelOf } from '../texts/labels.ts'
import type { FormDefinition, FormField, FormGroup } from './definition.ts'

interface FieldSchema {
  type?: string | readonly string[]
  format?: string
  maxLength?: number
  title?: string
  'x-field'?: { lookup?: string; readOnly?: boolean }
}

export interface GroupPlan {
  label: string
  columns?: number
  /** Field codes; one that ends with `*` is needed. */
  fields: readonly string[]
}

/** Lookups that neither the service nor the browser can answer yet: a plain text is right for them. */
const lookups = new Set([
  'country',
  'currency',
  'language',
  'culture',
  'juridicaltype',
  'gender',
  'conversationnotificationchannel',
  'userrole',
  'mfatype',
  'addresstype',
])

export function defineForm(
  title: string,
  dictionary: Record<string, object>,
  plans: readonly GroupPlan[],
  options: { submitMethod: 'POST' | 'PATCH'; submitBtnText: string },
): FormDefinition {
  const groups = plans.map(({ label, columns = 3, fields }): FormGroup => ({
    label,
    columns,
    noTopDivider: false,
    fields: fields.map((name) => fieldOf(name.replace('*', ''), dictionary, name.endsWith('*'))),
  }))
  return { title, ...options, recalc: [], groups }
}

function fieldOf(code: string, dictionary: Record<string, object>, required: boolean): FormField {
  const schema = (dictionary[code] ?? {}) as FieldSchema
  const kind = [schema.type ?? 'string'].flat().find((name) => name !== 'null')
  const isDate = schema.format === 'date-time'
  const lookup = schema['x-field']?.lookup ?? ''
  const lookupCode = lookups.has(lookup) ? lookup : ''
  const type = isDate ? 'date' : kind === 'boolean' ? 'boolean' : kind === 'integer' ? 'integer' : 'string'
  const displayType = isDate ? 'date' : kind === 'boolean' ? 'checkbox' : lookupCode ? 'typeahead' : 'input'
  const label = labelOf(`field.${code}`, schema.title ?? code)
  return {
    code,
    editCode: code,
    displayCode: code,
    type,
    displayType,
    shortLabel: label,
    longLabel: label,
    description: labelOf(`hint.${code}`, ''),
    lookupCode,
    minValue: '',
    maxValue: '',
    specificValues: '',
    length: isDate ? 0 : (schema.maxLength ?? 0),
    multiline: 1,
    required,
    mustMatchLookup: false,
  }
}
