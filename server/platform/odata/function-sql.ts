import type { CallNode, Expression } from './tree.ts'
import { castFor, type Writer } from './writer.ts'

/** SQL for the value of a call, safe beside any operator; null if an argument is null. */
export function writeCall(writer: Writer, { name, takes }: CallNode): string {
  const [first, second] = takes
  if (!first) return writer.bind(writer.now, castFor('date-time'))
  if (second) return writePair(writer, name, first, second)
  const value = writer.write(first)
  switch (name) {
    case 'tolower':
      return `lower(${value})`
    case 'toupper':
      return `upper(${value})`
    case 'trim':
      // \x0b rather than \v, which older PostgreSQL versions read as the letter v.
      return String.raw`btrim(${value}, E' \t\n\r\f\x0b\u00a0')`
    case 'length':
      return `char_length(${value})`
    case 'date':
      return `(${value} AT TIME ZONE 'UTC')::date`
    case 'second':
      return `floor(extract(second from ${value} AT TIME ZONE 'UTC'))`
    default:
      return `extract(${name} from ${value} AT TIME ZONE 'UTC')`
  }
}

function writePair(writer: Writer, name: CallNode['name'], first: Expression, second: Expression): string {
  const value = writer.write(first)
  if (name === 'contains' || name === 'startswith' || name === 'endswith') {
    const needle = second.kind === 'literal' ? escapePattern(String(second.value)) : undefined
    if (needle === undefined) return writeTest(name, value, writer.write(second))
    const pattern = { contains: `%${needle}%`, startswith: `${needle}%`, endswith: `%${needle}` }[name]
    return `(${value} LIKE ${writer.bind(pattern, 'text')})`
  }
  const other = writer.write(second)
  return name === 'concat' ? `(${value} || ${other})` : `(position(${other} in ${value}) - 1)`
}

/**
 * The needle is not a literal, so it cannot be escaped in advance. `needle` may occur twice in the SQL, for its length.
 */
function writeTest(name: 'contains' | 'startswith' | 'endswith', value: string, needle: string): string {
  if (name === 'contains') return `(position(${needle} in ${value}) > 0)`
  if (name === 'startswith') return `starts_with(${value}, ${needle})`
  return `(right(${value}, char_length(${needle})) = ${needle})`
}

const escapePattern = (text: string) => text.replace(/[\\%_]/g, String.raw`\$&`)
