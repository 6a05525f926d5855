/** Merges custom fields and overrides into the layout of a form. Pure. */
import type { Form } from '../../../contract/metadata/forms/form.ts'
import { fieldMeta } from '../../../contract/metadata/fields.ts'
import type { Translations } from '../../../contract/platform/languages.ts'
import type { CustomField } from '../../platform/dictionary/custom-field.ts'
import { customFieldSchema } from '../../platform/dictionary/custom-field.ts'

export interface ResolvedField {
  code: string
  /** JSON Schema of the value, with `x-field`. */
  schema: object
  required: boolean
  /** Required by the administrator, though the operation on the same resource does not require it. */
  requiredHere: boolean
  readOnly: boolean
  /** Replaces the shipped labels. */
  labels: Partial<Translations>
  /** The initial value in a new record. */
  defaultValue: string | number | boolean | null
  minValue: string
  maxValue: string
  mustMatchLookup: boolean | null
  /** The custom field; undefined for a built-in field. */
  custom: CustomField | undefined
}

export interface ResolvedGroup {
  code: string
  columns: number
  noTopDivider: boolean
  fields: ResolvedField[]
}

export interface ResolvedForm {
  groups: ResolvedGroup[]
  /** Every visible field by its code. */
  fields: ReadonlyMap<string, ResolvedField>
  /** The codes of hidden built-in fields: the form does not know them. */
  hidden: ReadonlySet<string>
}

export function resolveForm(form: Form, rows: readonly CustomField[]): ResolvedForm {
  const byCode = new Map(rows.map((row) => [row.code, row]))
  const isShown = (code: string) => byCode.get(code)?.hidden !== true
  const groups = form.groups.map((group) => {
    const shown = group.fields.filter(isShown).map((code) => builtIn(form, code, byCode.get(code)))
    return { ...group, noTopDivider: group.noTopDivider ?? false, fields: sortFields(shown, byCode) }
  })
  const own = rows.filter((row) => row.type !== null && row.hidden !== true).map(toResolvedField)
  if (own.length > 0)
    groups.push({ code: 'custom', columns: 2, noTopDivider: false, fields: sortFields(own, byCode) })
  const kept = groups.filter(({ fields }) => fields.length > 0)
  return {
    groups: kept,
    fields: new Map(kept.flatMap(({ fields }) => fields.map((field) => [field.code, field]))),
    hidden: new Set(rows.filter(({ hidden }) => hidden).map(({ code }) => code)),
  }
}

function builtIn(form: Form, code: string, override: CustomField | undefined): ResolvedField {
  const schema = form.fields[code] as object
  const taken = (form.submit.body as { properties?: object }).properties ?? {}
  return {
    code,
    schema,
    required: override?.required === true || form.required?.includes(code) === true,
    requiredHere: override?.required === true,
    readOnly: fieldMeta(schema).readOnly === true || !Object.hasOwn(taken, code),
    labels: override?.labels ?? {},
    defaultValue: override?.defaultValue ?? null,
    minValue: limit(schema, 'minimum'),
    maxValue: limit(schema, 'maximum'),
    mustMatchLookup: null,
    custom: undefined,
  }
}

/** Resolves a custom field. */
export function toResolvedField(row: CustomField): ResolvedField {
  return {
    code: row.code,
    schema: customFieldSchema(row),
    required: row.required ?? false,
    requiredHere: row.required ?? false,
    readOnly: false,
    labels: row.labels,
    defaultValue: row.defaultValue,
    minValue: row.minValue ?? '',
    maxValue: row.maxValue ?? '',
    mustMatchLookup: row.mustMatchLookup,
    custom: row,
  }
}

function limit(schema: object, keyword: 'minimum' | 'maximum'): string {
  const value = (schema as Record<string, unknown>)[keyword]
  return typeof value === 'number' ? String(value) : ''
}

/** A field with an order takes that position in its group, counted from 1. The other fields keep their order. */
function sortFields(fields: ResolvedField[], byCode: ReadonlyMap<string, CustomField>): ResolvedField[] {
  const findOrder = ({ code }: ResolvedField) => byCode.get(code)?.fieldOrder ?? null
  const placed = fields.filter((field) => findOrder(field) !== null)
  const others = fields.filter((field) => findOrder(field) === null)
  for (const field of placed.toSorted((a, b) => findOrder(a)! - findOrder(b)!))
    others.splice(Math.max(0, findOrder(field)! - 1), 0, field)
  return others
}
