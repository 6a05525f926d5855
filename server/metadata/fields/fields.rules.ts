/** The rules for a custom field or an override of a built-in field: pure. */
import type { Form } from '../../../contract/metadata/forms/form.ts'
import { formFields } from '../../../contract/metadata/forms/form.ts'
import { languages, type Translations } from '../../../contract/platform/languages.ts'
import type { UserFieldChange, UserFieldInput } from '../../../contract/access/user-fields.ts'
import { datePart, isDateTime, toMidnight } from '../../../core/calendar/date-time.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import {
  isNumeric,
  customFieldSchema,
  parseSpecificValues,
  type CustomField,
} from '../../platform/dictionary/custom-field.ts'
import { ApiError, type FieldErrors } from '../../platform/http/errors.ts'
import { mergeMembers } from '../../platform/http/merge-members.ts'
import { compileCheck } from '../../platform/http/validation.ts'

/** What is known of an entity with custom fields. */
export interface EntityForms {
  entity: string
  forms: readonly Form[]
}

export const noField: Omit<CustomField, 'fieldGuid' | 'entity' | 'code' | 'type' | 'version'> = {
  labels: {},
  length: null,
  minValue: null,
  maxValue: null,
  specificValues: null,
  lookupCode: null,
  mustMatchLookup: false,
  required: null,
  defaultValue: null,
  fieldOrder: null,
  hidden: false,
  indexed: false,
  audit: true,
  personalDataTypeId: 0,
}

/** The member that holds the label in a language. */
export const labelMember = (language: string) => `text${language[0]!.toUpperCase()}${language.slice(1)}`

/** The members of a field as its form shows them. */
export const fieldMembers = ({ labels, ...field }: CustomField) => ({
  ...field,
  defaultValue: field.defaultValue === null ? null : String(field.defaultValue),
  ...Object.fromEntries(languages.map((language) => [labelMember(language), labels[language] ?? null])),
})

/** The built-in field with the code, in any letter case. */
export function findBuiltIn({ forms }: EntityForms, code: string): string | undefined {
  const codes = forms.flatMap((form) => [...Object.keys(form.fields), ...form.keys])
  return codes.find((one) => one.toLowerCase() === code.toLowerCase())
}

const customOnly = [
  'length',
  'minValue',
  'maxValue',
  'specificValues',
  'lookupCode',
  'mustMatchLookup',
  'indexed',
  'personalDataTypeId',
] as const

/** The field after applying an input. Errors are added to `checks`. */
export function applyFieldInput(
  before: CustomField,
  input: UserFieldInput | UserFieldChange,
  entity: EntityForms,
  checks: FieldErrors,
): CustomField {
  const { defaultValue, ...members } = mergeMembers(before, input, { known: noField })
  // Zero means no order.
  if (members.fieldOrder === 0) members.fieldOrder = null
  const field = { ...members, labels: readLabels(before, input), defaultValue: before.defaultValue }
  if (field.type === null) checkOverride(field, input, entity, checks)
  else checkCustomField(field, checks)
  if (typeof input.defaultValue === 'string') {
    field.defaultValue = readDefault(field, String(defaultValue ?? ''), entity, checks)
  } else if (field.defaultValue !== null && field.type !== null) {
    field.defaultValue = readDefault(field, String(field.defaultValue), entity, checks)
  }
  return field
}

function readLabels(before: CustomField, input: object): Partial<Translations> {
  const given = input as Record<string, unknown>
  const labels: Record<string, string> = { ...before.labels }
  for (const language of languages) {
    const text = given[labelMember(language)]
    if (typeof text !== 'string') continue
    const kept = cleanText(text)
    if (kept === '') delete labels[language]
    else labels[language] = kept
  }
  return labels
}

function checkOverride(field: CustomField, input: object, { forms }: EntityForms, checks: FieldErrors): void {
  const given = input as Record<string, unknown>
  for (const name of customOnly) {
    if (given[name] !== undefined && given[name] !== null && given[name] !== '' && given[name] !== false)
      checks.add(name, `cannot be changed for a built-in field: ${field.code} is one of ${field.entity}.`)
  }
  if (given['audit'] === false) checks.add('audit', 'cannot be changed for a built-in field.')
  const isTaken = (form: Form) =>
    Object.hasOwn((form.submit.body as { properties?: object }).properties ?? {}, field.code)
  if (field.required === true && !forms.some(isTaken))
    checks.add('required', 'is not possible for a read-only field.')
  if (field.hidden && forms.some((form) => form.required?.includes(field.code)))
    checks.add('hidden', 'is not possible for a field that every new record needs.')
  if (!forms.some((form) => formFields(form).includes(field.code)))
    checks.add('code', `is not in any form of ${field.entity}.`)
}

function checkCustomField(field: CustomField, checks: FieldErrors): void {
  const { type } = field
  if (Object.keys(field.labels).length === 0)
    checks.add('textEn', 'is required unless another language has a label.')
  const isText = type === 'string' || type === 'text' || type === 'lookup'
  if (field.length !== null && !isText)
    checks.add('length', `applies to texts, not to a field of type ${type}.`)
  checkLimits(field, checks)
  const values = parseSpecificValues(field)
  if (values.length > 0 && type !== 'string' && type !== 'integer' && type !== 'decimal')
    checks.add('specificValues', `applies to string, integer and decimal, not to ${type}.`)
  else if (values.some((value) => typeof value === 'number' && !isOfType(field, value)))
    checks.add('specificValues', `must be numbers of type ${type}, separated by commas.`)
  if (type === 'lookup' && field.lookupCode === null) checks.add('lookupCode', 'is required for type lookup.')
  if (field.lookupCode !== null && type !== 'lookup' && type !== 'string' && type !== 'guid')
    checks.add('lookupCode', `applies to lookup, string and guid, not to ${type}.`)
  if (field.mustMatchLookup && field.lookupCode === null) checks.add('mustMatchLookup', 'needs a lookupCode.')
  if (field.hidden && field.required === true) checks.add('hidden', 'is not possible for a required field.')
}

const isOfType = ({ type }: CustomField, value: number) =>
  Number.isFinite(value) && (type !== 'integer' || Number.isInteger(value))

function checkLimits(field: CustomField, checks: FieldErrors): void {
  const isDate = field.type === 'date' || field.type === 'datetime'
  for (const name of ['minValue', 'maxValue'] as const) {
    const limit = field[name]
    if (limit === null) continue
    if (!isDate && !isNumeric(field.type))
      checks.add(name, `applies to numbers and dates, not to ${field.type}.`)
    else if (isDate && !isDateTime(limit)) checks.add(name, 'must be a date such as 2026-11-21.')
    else if (isDate) field[name] = datePart(limit)
    else if (!isOfType(field, Number(limit))) checks.add(name, `must be a number of type ${field.type}.`)
  }
  const { minValue, maxValue } = field
  if (minValue === null || maxValue === null) return
  if (isDate ? maxValue < minValue : Number(maxValue) < Number(minValue))
    checks.add('maxValue', 'must not be less than minValue.')
}

/** Parses a default by the field's type and checks it like any value. */
function readDefault(
  field: CustomField,
  text: string,
  { forms }: EntityForms,
  checks: FieldErrors,
): CustomField['defaultValue'] {
  if (text === '') return null
  const holder = forms.find((form) => Object.hasOwn(form.fields, field.code))
  const schema =
    field.type === null ? (holder?.fields[field.code] as object | undefined) : customFieldSchema(field)
  const [json] = [(schema as { type?: string | string[] } | undefined)?.type ?? 'string'].flat()
  const value =
    json === 'integer' || json === 'number'
      ? Number(text)
      : json === 'boolean' && (text === 'true' || text === 'false')
        ? text === 'true'
        : text
  try {
    compileCheck({ type: 'object', properties: { defaultValue: schema } })({
      defaultValue: Number.isNaN(value) ? text : value,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    checks.add('defaultValue', error.errors?.['defaultValue']?.[0] ?? 'is not a value of the field.')
    return null
  }
  return field.type === 'date' ? toMidnight(text) : value
}
