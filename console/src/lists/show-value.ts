/** The values of a record as text. */
import { formatDateTime, formatMoney } from '../format/format.ts'
import { codeLabel, isRuleMember, ruleLabel, translateLabel } from '../texts/labels.ts'
import type { ListField } from './list-fields.ts'

interface Words {
  yes: string
  no: string
  currency?: string
}

export function recordCurrency(record: object): { currency?: string } {
  const { currencyCode } = record as { currencyCode?: unknown }
  return typeof currencyCode === 'string' ? { currency: currencyCode } : {}
}

export function showValue(field: ListField, value: unknown, { yes, no, currency }: Words): string {
  if (value === null || value === undefined) return ''
  switch (field.kind) {
    case 'date':
      return formatDateTime(String(value))
    case 'boolean':
      return value === true ? yes : no
    case 'choice': {
      const choice = field.choices.find(
        (one) => one.value === String(value) || one.value === `'${String(value)}'`,
      )
      return codeLabel(field.name, String(value), choice?.title)
    }
    case 'number':
      return field.money ? formatMoney(Number(value), currency) : String(value)
    default:
      return showText(field, String(value))
  }
}

/** A text may be the code of a rule, or of a lookup. */
function showText({ name, lookup }: ListField, text: string): string {
  if (isRuleMember(name)) return ruleLabel(text)
  return lookup === undefined ? text : translateLabel(`lookup.${lookup}.${text}`, text)
}
