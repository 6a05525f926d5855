/** A custom field of an entity, or an override of a built-in field, as a row of the dictionary. Pure. */
import { personalDataTypes, type FieldMeta, type PersonalData } from '../../../contract/metadata/fields.ts'
import type { fieldTypes } from '../../../contract/access/user-fields.ts'
import type { Translations } from '../../../contract/platform/languages.ts'

export type CustomType = (typeof fieldTypes)[number]

export interface CustomField {
  fieldGuid: string
  entity: string
  code: string
  /** Null for an override of a built-in field. */
  type: CustomType | null
  labels: Partial<Translations>
  length: number | null
  minValue: string | null
  maxValue: string | null
  /** Separated by commas. */
  specificValues: string | null
  lookupCode: string | null
  mustMatchLookup: boolean
  required: boolean | null
  defaultValue: string | number | boolean | null
  fieldOrder: number | null
  hidden: boolean
  indexed: boolean
  audit: boolean
  personalDataTypeId: number
  version: number
}

const lengths: Partial<Record<CustomType, number>> = { string: 200, text: 4000, lookup: 100 }

/** The JSON Schema of a custom field, in the same form as built-in fields. */
export function customFieldSchema(field: CustomField): object {
  const type = field.type!
  return {
    ...valueSchema(field, type),
    title: field.labels.en ?? field.code,
    'x-field': metaFor(field, type),
  }
}

const oneLine = '^[^\\u0000-\\u001f\\u007f]*$'

function valueSchema(field: CustomField, type: CustomType): object {
  const maxLength = field.length ?? lengths[type] ?? 200
  const values = parseSpecificValues(field)
  const choice = values.length > 0 ? { enum: [...values, null] } : {}
  switch (type) {
    case 'text':
      return { type: ['string', 'null'], maxLength, ...choice }
    case 'integer':
      return { type: ['integer', 'null'], ...range(field), ...choice }
    case 'decimal':
    case 'money':
      return { type: ['number', 'null'], ...range(field), ...choice }
    case 'boolean':
      return { type: ['boolean', 'null'] }
    case 'date':
    case 'datetime':
      return { type: ['string', 'null'], format: 'date-time' }
    case 'guid':
      return { type: ['string', 'null'], format: 'uuid' }
    default:
      return values.length > 0
        ? { type: ['string', 'null'], maxLength, enum: [...values, null] }
        : { type: ['string', 'null'], maxLength, pattern: oneLine }
  }
}

/** Whole numbers fit PostgreSQL's int; other numbers are exact to 15 digits. */
const range = ({ type, minValue, maxValue }: CustomField) => ({
  minimum: minValue === null ? (type === 'integer' ? -2_147_483_648 : -1e13) : Number(minValue),
  maximum: maxValue === null ? (type === 'integer' ? 2_147_483_647 : 1e13) : Number(maxValue),
})

export function parseSpecificValues({ specificValues, type }: CustomField): (string | number)[] {
  const values = (specificValues ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return isNumeric(type) ? values.map(Number) : values
}

export const isNumeric = (type: CustomType | null) =>
  type === 'integer' || type === 'decimal' || type === 'money'

function metaFor(field: CustomField, type: CustomType): FieldMeta {
  const personalData = Object.entries(personalDataTypes).find(([, id]) => id === field.personalDataTypeId)
  return {
    ...(field.lookupCode !== null && { lookup: field.lookupCode }),
    ...(personalData && { personalData: personalData[0] as PersonalData }),
    ...((type === 'date' || type === 'money' || type === 'text') && { kind: type }),
    audit: field.audit,
  }
}

const casts: Partial<Record<CustomType, string>> = {
  integer: 'int',
  decimal: 'numeric',
  money: 'numeric',
  boolean: 'boolean',
  guid: 'uuid',
}

/**
 * The SQL expression of a value in the column `custom`, for filters and indexes. The code is checked to be a plain
 * name.
 */
export function valueExpression({ code, type }: Pick<CustomField, 'code' | 'type'>, alias = ''): string {
  const text = `(${alias === '' ? '' : `${alias}.`}custom ->> '${code}')`
  if (type === 'date' || type === 'datetime') return `custom_time${text}`
  const cast = casts[type!]
  return cast === undefined ? text : `(${text}::${cast})`
}
