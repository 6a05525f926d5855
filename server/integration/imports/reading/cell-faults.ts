/** Says of a cell what is wrong with it, and what would be right, in the style of its file. */
import type { CellFault } from '../../../../contract/integration/cell-faults.ts'
import { daysInMonth } from '../../../../core/calendar/calendar.ts'
import { isDateTime } from '../../../../core/calendar/date-time.ts'
import type { Target } from './columns.ts'
import type { Fault } from './row.ts'
import { readDayParts, type ValueStyle } from './value-style.ts'

const dayExamples = { ymd: '2026-12-31', dmy: '31.12.2026', mdy: '12/31/2026' } as const
const checkedTypes = ['number', 'integer', 'boolean']

/** Undefined for a value that fits its column. `value` is what was read of the cell. */
export function findCellFault(target: Target, value: unknown, style: ValueStyle): Fault | undefined {
  if (typeof value !== 'string') return undefined
  if (target.isDate ? isDateTime(value) : !checkedTypes.includes(target.type)) return undefined
  const fault = {
    ...describeCell(target, value, style),
    value: !target.isPersonal && isShown(value) ? value : null,
  }
  return { field: target.name, reason: writeReason(fault), cell: fault }
}

function describeCell(target: Target, text: string, style: ValueStyle): Omit<CellFault, 'value'> {
  if (target.isDate) return describeDay(text, style)
  if (target.type === 'boolean') return { kind: 'yesNo', example: 'true' }
  if (target.type === 'integer') return { kind: 'whole', example: '12' }
  const sign = style.decimals ?? '.'
  return target.isMoney
    ? { kind: 'amount', example: `1234${sign}50` }
    : { kind: 'number', example: `12${sign}5` }
}

function describeDay(text: string, { dates = 'ymd' }: ValueStyle): Omit<CellFault, 'value'> {
  const example = dayExamples[dates]
  const [year, month, day] = readDayParts(text, dates) ?? []
  const last = month !== undefined && month >= 1 && month <= 12 ? daysInMonth(year!, month) : undefined
  return last !== undefined && day! > last ? { kind: 'dayOfMonth', example, last } : { kind: 'day', example }
}

const shownMost = { signs: 20, letters: 3, digits: 8 }
const count = (text: string, sign: RegExp) => text.match(sign)?.length ?? 0

/** A column may be matched to the wrong field. What could be a name or an identity number is not repeated. */
function isShown(text: string): boolean {
  const digits = count(text, /\d/g)
  const letters = count(text, /\p{L}/gu)
  return (
    text.length <= shownMost.signs && letters <= shownMost.letters && digits > 0 && digits <= shownMost.digits
  )
}

/** Follows the name of the field. */
function writeReason({ kind, value, example, last }: CellFault): string {
  const said = value === null ? '' : `'${value}' `
  switch (kind) {
    case 'day':
      return `${said}is not a day of the calendar. Write days as ${example}.`
    case 'dayOfMonth':
      return `${said}is not a day of the calendar: the month ends on day ${last}.`
    case 'amount':
      return `${said}is not an amount. Write amounts as ${example}.`
    case 'number':
      return `${said}is not a number. Write numbers as ${example}.`
    case 'whole':
      return `${said}is not a whole number. Write it as ${example}.`
    case 'yesNo':
      return `${said}is neither true nor false. Write true or false, or 1 or 0.`
  }
}
