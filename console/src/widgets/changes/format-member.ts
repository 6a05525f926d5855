/** Members of an audit entry and their values in the user's words. */
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { i18n } from '../../texts/languages.ts'
import { codeLabel, translateLabel } from '../../texts/labels.ts'
import { tileNames } from '../../texts/tile-names.ts'
import type { ChangeLine } from './change-lines.ts'

/** Members that are amounts; the entry has the currency. */
const amounts = new Set([
  'amount',
  'amountInAll',
  'principal',
  'interest',
  'fee',
  'registrationFee',
  'invoiceFee',
  'reminderFee',
  'total',
])

export const isAmount = (member: string): boolean => amounts.has(member)

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value)

/** `payments[3].missedDate` becomes the day on which payment 3 was missed. */
function memberLabel(member: string): string {
  const [, number, name] = /^payments\[(\d+)\]\.(\w+)$/.exec(member) ?? []
  const label = nameMember(name ?? member)
  return number === undefined
    ? label
    : `${label} (${translateLabel('field.paymentNo', 'paymentNo')} ${number})`
}

/** The trail has some members by the names of their columns. A member without a field is named on its screen; the field of steps is text. */
function nameMember(stored: string): string {
  const name = stored.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  if (name === 'steps') return i18n.t('strategy.steps')
  if (name === 'dayCount') return translateLabel('field.interestDayCount', name)
  return translateLabel([`field.${name}`, `strategy.${name}`, `dashboards.${name}`], name)
}

/** Where in a list or tree something changed, such as “Steps, REMINDER, After days”. */
export const formatPath = ({ path, isOrder }: ChangeLine): string =>
  [
    ...path.map((part) => ('member' in part ? memberLabel(part.member) : part.element)),
    ...(isOrder ? [i18n.t('timeline.order')] : []),
  ].join(', ')

/** Codes that several members hold, by what they are in. */
function formatCode(member: string, code: string): string {
  if (member === 'tiles') return (tileNames() as Record<string, string>)[code] ?? code
  return codeLabel(member, code)
}

export function formatMember(member: string, value: unknown, currency: string | null): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return i18n.t(value ? 'value.yes' : 'value.no')
  if (typeof value === 'number' && isAmount(member)) return formatMoney(value, currency)
  if (isDate(value)) return formatDateTime(value)
  if (member === 'interestTerms') return formatTerms(value as InterestTerms)
  if (Array.isArray(value)) return value.map((one) => formatElement(member, one, currency)).join('; ') || '–'
  if (typeof value === 'object') return formatElement(member, value, currency)
  return formatCode(member, String(value))
}

/** A list element, such as a case number, or a deviating payment with its date and amount. */
function formatElement(member: string, one: unknown, currency: string | null): string {
  if (typeof one !== 'object' || one === null) return formatCode(member, String(one))
  return Object.entries(one)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${memberLabel(name)} ${formatMember(name, value, currency)}`)
    .join(', ')
}

type InterestTerms =
  { kind: 'none' } | { kind: 'fixed'; rate: string } | { kind: 'reference'; series: string; points: string }

function formatTerms(terms: InterestTerms): string {
  if (terms.kind === 'none') return '–'
  if (terms.kind === 'fixed') return `${formatNumber(Number(terms.rate), 6)} %`
  const points = `${formatNumber(Number(terms.points), 6)} %`
  return `${translateLabel('field.interestSeries', 'interestSeries')} ${terms.series} + ${points}`
}
