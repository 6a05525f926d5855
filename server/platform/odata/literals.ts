import { daysInMonth } from '../../../core/calendar/calendar.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { ODataError } from './odata-error.ts'
import { plusHint, type Token } from './tokens.ts'
import type { LiteralNode, ValueType } from './tree.ts'

/** The name of each type in error messages. */
export const typeTitles: Record<ValueType | 'null', string> = {
  string: 'a text',
  int32: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  'date-time': 'a date-time',
  date: 'a date',
  guid: 'a GUID',
  null: 'null',
}

const howToWrite: Record<ValueType, string> = {
  string: "Put the value in quotes, as in 'Malmö'",
  int32: 'Write a whole number without quotes, as in 12',
  number: 'Write a number without quotes, as in 12.50',
  boolean: 'Write true or false without quotes',
  'date-time': 'Write 2026-01-31 or 2026-01-31T13:45:00Z',
  date: 'Write a date, as in 2026-01-31',
  guid: 'Write a GUID, as in 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
}

/** The literal of a token, with the token's own type; undefined when it is not a literal. */
export function readLiteral({ kind, text, at }: Token): LiteralNode | undefined {
  switch (kind) {
    case 'text':
      return { kind: 'literal', at, type: 'string', value: text }
    case 'number':
    case 'date':
    case 'date-time':
    case 'guid':
      return { kind: 'literal', at, type: kind, value: text }
    case 'word':
      return readWordLiteral(text.toLowerCase(), at)
    default:
      return undefined
  }
}

function readWordLiteral(word: string, at: number): LiteralNode | undefined {
  if (word === 'null') return { kind: 'literal', at, type: 'null', value: null }
  if (word !== 'true' && word !== 'false') return undefined
  return { kind: 'literal', at, type: 'boolean', value: word === 'true' }
}

/**
 * Converts a literal to the type that its place needs. null is allowed. A fraction beside an int32 becomes a number.
 *
 * @throws ODataError when the value cannot have that type.
 */
export function coerceLiteral(literal: LiteralNode, type: ValueType): LiteralNode {
  const { at, value } = literal
  if (literal.type === 'null') return literal
  if (typeof value === 'string') {
    const from = literal.type
    if (type === 'string' && from === 'string') return literal
    if (type === 'number' && from === 'number') return { ...literal, value: checkNumber(at, value) }
    if (type === 'int32' && from === 'number') return coerceInt32(literal, checkNumber(at, value))
    const quotable = from === type || from === 'string'
    if (type === 'guid' && quotable) return { ...literal, type, value: checkGuid(at, value) }
    if (type === 'date' && quotable) return { ...literal, type, value: checkDate(at, value) }
    if (type === 'date-time' && (quotable || from === 'date')) {
      return { ...literal, type, value: checkDateTime(at, value) }
    }
  } else if (literal.type === type) return literal
  throw fail(
    at,
    `type mismatch, ${typeTitles[literal.type]} stands here beside ${typeTitles[type]}`,
    howToWrite[type],
  )
}

const fail = (at: number, found: string, right: string) => new ODataError('$filter', at, found, right)

/** Money never becomes a float: its text goes to PostgreSQL's `numeric` unchanged, within limits of size. */
function checkNumber(at: number, text: string): string {
  const [mantissa = '', exponent = '0'] = text.replace(/^\+/, '').toLowerCase().split('e')
  const digits = mantissa.replace(/[-.]/g, '').length
  if (digits > 38) throw fail(at, `a number of ${digits} digits stands here`, 'At most 38 digits are taken')
  if (exponent.length > 4 || Math.abs(Number(exponent)) > 38) {
    throw fail(at, 'the exponent of the number is too large', 'Exponents reach from -38 to 38')
  }
  return text.replace(/^\+/, '').toLowerCase()
}

function coerceInt32(literal: LiteralNode, text: string): LiteralNode {
  const value = Number(text)
  if (value < -2147483648 || value > 2147483647) {
    throw fail(literal.at, 'the number does not fit', 'Whole numbers reach from -2147483648 to 2147483647')
  }
  if (!/^-?\d+$/.test(text)) return { ...literal, type: 'number', value: text }
  // Adding 0 turns -0 into 0.
  return { ...literal, type: 'int32', value: value + 0 }
}

function checkGuid(at: number, text: string): string {
  if (!isGuid(text)) throw fail(at, 'the quoted text is not a GUID', howToWrite.guid)
  return text.toLowerCase()
}

function checkDate(at: number, text: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) throw fail(at, 'the value is not a date', howToWrite.date)
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    throw fail(at, 'the calendar has no such day', 'Write an existing day from 0001-01-01 to 9999-12-31')
  }
  return text
}

/** Returns `2026-01-31T13:45:00.5+01:00`, or the same with Z: with seconds, and midnight UTC for a plain date. */
function checkDateTime(at: number, text: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2})?(\.\d+)?(.*))?$/i.exec(text)
  if (!match) throw fail(at, 'the value is not a date-time', howToWrite['date-time'])
  const [, day = '', time, seconds, fraction, offset = ''] = match
  checkDate(at, day)
  if (time === undefined) return `${day}T00:00:00Z`
  if (time > '23:59' || time.slice(3) > '59' || (seconds ?? '') > ':59') {
    throw fail(at, 'the day has no such time', 'Times reach from 00:00:00 to 23:59:59')
  }
  if (fraction !== undefined && (seconds === undefined || !/^\.\d{1,6}0*$/.test(fraction))) {
    throw fail(at, 'the fraction of the second is too fine', 'Write at most six decimals after whole seconds')
  }
  const decimals = fraction?.slice(0, 7) ?? ''
  return `${day}T${time}${seconds ?? ':00'}${decimals}${checkOffset(at, offset)}`
}

function checkOffset(at: number, offset: string): string {
  if (offset === '') {
    throw fail(
      at,
      'the date-time has no offset from UTC',
      'End it with Z or an offset, as in 2026-01-31T13:45:00Z',
    )
  }
  if (/^z$/i.test(offset)) return 'Z'
  if (/^ \d{2}:\d{2}$/.test(offset)) {
    throw fail(at, 'a blank stands where the offset of the date-time starts', plusHint)
  }
  const [, hours, minutes] = /^[+-](\d{2}):(\d{2})$/.exec(offset) ?? []
  if (hours === undefined || minutes === undefined || `${hours}:${minutes}` > '14:00' || minutes > '59') {
    throw fail(
      at,
      'the date-time ends in no valid offset',
      'End it with Z, or with +hh:mm or -hh:mm up to 14:00',
    )
  }
  return offset
}
