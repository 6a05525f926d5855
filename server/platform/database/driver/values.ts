/** Values as the server's text, and back, by the OID of their type. */
import { arrayTypes } from '../array-types.ts'
import { columnTypes } from '../column-types.ts'
import { formatArray } from '../array-types.ts'
import { Parameter } from './write-statement.ts'

const jsonTypes = new Set([114, 3802])
const [booleanType, byteaType] = [16, 17]

type Parse = (text: string) => unknown

const parsers = new Map<number, Parse>([
  ...[21, 23, 26, 700, 701].map((type): [number, Parse] => [type, Number]),
  ...[...jsonTypes].map((type): [number, Parse] => [type, (text) => JSON.parse(text) as unknown]),
  [booleanType, (text) => text === 't'],
  [byteaType, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[...Object.values(columnTypes), ...Object.values(arrayTypes)].map(({ type, parse }): [number, Parse] => [
    type,
    parse,
  ]),
])

/** Undefined for a type that is read as text. */
export const findParser = (type: number): Parse | undefined => parsers.get(type)

/** The type that a value says of itself; 0 leaves it to the server. */
export function resolveType(value: unknown): number {
  if (value instanceof Parameter) return 3802
  if (value instanceof Date) return 1184
  if (value instanceof Uint8Array) return byteaType
  if (typeof value === 'boolean') return booleanType
  return typeof value === 'bigint' ? 20 : 0
}

/** The text that is sent for a value of the type that the server expects; bytes as they are. */
export function formatValue(value: unknown, type: number): string | Buffer | null {
  if (value === null) return null
  if (value instanceof Parameter) return JSON.stringify(value.json)
  if (jsonTypes.has(type)) return JSON.stringify(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return formatArray(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}
