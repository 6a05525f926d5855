/** Builds the definition of a form (S9) from dictionary, layout and labels. Pure. */
import type { Form } from '../../../contract/metadata/forms/form.ts'
import { fieldMeta, personalDataTypes } from '../../../contract/metadata/fields.ts'
import type { FormDefinition, FormField } from '../../../contract/metadata/forms.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { findText, type TextArea } from '../../../core/text/texts.ts'
import { largestValue, columnSize, type ColumnSizes } from './column-sizes.ts'
import type { FormTable } from '../../platform/dictionary/handler.ts'
import { fieldDescription, fieldLabel } from './labels.ts'
import type { ResolvedField, ResolvedForm } from './resolve-form.ts'

export interface DefinitionContext {
  form: Form
  language: Language
  storedIn: FormTable | undefined
  sizes: ColumnSizes
  /** Says whether a lookup is a closed list, and whether it is short enough to list in full. */
  lookups: { isClosed: (code: string) => boolean; isShort: (code: string) => boolean }
}

export function defineForm(resolved: ResolvedForm, context: DefinitionContext): FormDefinition {
  const { form, language } = context
  const { entity, type } = form
  const text = (area: TextArea, ...keys: string[]) => findText(language, area, ...keys) ?? keys[0]!
  return {
    title: text('form', `${entity}.${type}`),
    metadataFieldsType: entity,
    submitMethod: form.submit.method === 'POST' ? 'POST' : 'PATCH',
    submitBtnText: text('button', type, 'edit'),
    recalc: (form.recalculations ?? []).map(({ code, fields }) => ({
      recalcCode: code,
      btnText: text('recalc', `${entity}.${code}`),
      fields: [...fields],
    })),
    groups: resolved.groups.map((group, groupIndex) => {
      const label = text('group', group.code)
      return {
        label,
        columns: group.columns,
        noTopDivider: group.noTopDivider,
        fields: group.fields.map((field, index) =>
          defineField(field, context, { label, order: groupIndex + 1, fieldOrder: index + 1 }),
        ),
      }
    }),
  }
}

export const resolveLabel = (field: ResolvedField, language: Language, entity: string): string =>
  field.labels[language] ??
  (field.custom ? undefined : fieldLabel(language, entity, field.code)) ??
  field.labels.en ??
  Object.values(field.labels)[0] ??
  field.code

interface Schema {
  type?: string | readonly string[]
  format?: string
  maxLength?: number
  enum?: readonly unknown[]
}

function defineField(
  field: ResolvedField,
  context: DefinitionContext,
  group: { label: string; order: number; fieldOrder: number },
): FormField {
  const { form, language, storedIn, sizes, lookups } = context
  const schema = field.schema as Schema
  const meta = fieldMeta(schema)
  const list = listMembers(form)
  const position = Object.keys(list).indexOf(field.code)
  const searchable = field.custom
    ? form.list !== undefined
    : position >= 0 && !fieldMeta(list[field.code]).unfilterable
  const lookup = meta.lookup ?? ''
  const type = fieldType(field, form)
  const longLabel = resolveLabel(field, language, form.entity)
  return {
    code: field.code,
    editCode: field.readOnly ? '' : field.code,
    displayCode: field.code,
    type,
    displayType: displayType(field, type, lookup !== '' && lookups.isShort(lookup)),
    shortLabel: longLabel,
    longLabel,
    groupLabel: group.label,
    description:
      (field.custom ? undefined : fieldDescription(language, form.entity, field.code)) ?? longLabel,
    lookupCode: lookup,
    lookupColumn: lookup === '' ? '' : 'lookupKey',
    lookupField: lookup !== '',
    mustMatchLookup: field.mustMatchLookup ?? (lookup !== '' && lookups.isClosed(lookup)),
    minValue: field.minValue,
    maxValue: field.maxValue,
    specificValues: (schema.enum ?? []).filter((one) => one !== null && one !== '').join(','),
    length: schema.maxLength ?? 0,
    dbLength: field.custom ? largestValue : columnSize(sizes, storedIn, field.code),
    multiline: type === 'text' ? 5 : 1,
    allowBreak: type === 'text',
    required: field.required,
    allowNull: !field.required && schemaTypes(schema).includes('null'),
    audit: meta.audit !== false,
    personalDataTypeId: meta.personalData ? personalDataTypes[meta.personalData] : 0,
    groupOrder: group.order,
    fieldOrder: group.fieldOrder,
    listFieldOrder: position + 1,
    searchEngineField: searchable ? field.code : '',
    searchEngingeSortable: searchable ? 1 : 0,
  }
}

/** The members of the items in the entity's list. */
function listMembers({ list }: Form): Record<string, object> {
  const page = list?.response as
    { properties?: { value?: { items?: { properties?: Record<string, object> } } } } | undefined
  return page?.properties?.value?.items?.properties ?? {}
}

const schemaTypes = ({ type }: Schema) => [type ?? []].flat()

function fieldType({ code, schema, custom }: ResolvedField, form: Form): string {
  if (custom?.type) return custom.type
  const separator = form.lists?.[code]
  if (separator !== undefined) return separator === '\n' ? 'text' : 'string'
  const { format } = schema as Schema
  const { kind, lookup } = fieldMeta(schema)
  const [json] = schemaTypes(schema as Schema).filter((one) => one !== 'null')
  if (kind !== undefined) return kind
  if (json === 'integer' || json === 'boolean') return json
  if (json === 'number') return 'decimal'
  if (format === 'date-time') return 'datetime'
  if (format === 'uuid') return 'guid'
  return lookup === undefined ? 'string' : 'lookup'
}

const displays: Record<string, string> = {
  text: 'textarea',
  boolean: 'checkbox',
  date: 'date',
  datetime: 'date',
  money: 'money',
}

function displayType({ schema, readOnly }: ResolvedField, type: string, isShort: boolean): string {
  if (readOnly) return 'readonly'
  if (fieldMeta(schema).lookup !== undefined) return isShort ? 'select' : 'typeahead'
  if ((schema as Schema).enum !== undefined) return 'select'
  return displays[type] ?? 'input'
}
