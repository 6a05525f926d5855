import { ApiError } from '../../../platform/http/errors.ts'
import { parseJsonBody } from '../../../platform/http/json-body.ts'
import { referenceName, type ColumnNames } from './columns.ts'
import { faultyRow, type Fault, type SourceRow } from './row.ts'

/** Parses a line of NDJSON by the rules of request bodies. */
export function readJsonRow(line: number, text: string, names: ColumnNames): SourceRow {
  let value: unknown
  try {
    value = parseJsonBody(Buffer.from(text))
  } catch (error) {
    if (error instanceof ApiError) return { ...faultyRow(line, ''), faults: toFaults(error) }
    throw error
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return faultyRow(line, 'must be one JSON object, such as {"sourceReference":"17","lastname":"Berg"}.')
  }
  const row: SourceRow = { line, reference: null, members: {}, faults: [] }
  const seen = new Set<string>()
  const entries: [name: string, value: unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const column = names.find(name)
    if (column === null) continue
    if (column === undefined) {
      row.faults.push({
        field: name.slice(0, 100),
        reason: `is not known here. Known are ${names.list.join(', ')}.`,
      })
      continue
    }
    if (seen.has(column.name)) row.faults.push({ field: column.name, reason: 'is given more than once.' })
    seen.add(column.name)
    if (member === null || member === '') continue
    if (column.name === referenceName) row.reference = readReference(member, row.faults)
    else entries.push([column.name, member])
  }
  row.members = Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return row
}

function readReference(value: unknown, faults: Fault[]): string | null {
  if (typeof value === 'string') return value.trim() || null
  if (Number.isSafeInteger(value)) return String(value)
  faults.push({ field: referenceName, reason: 'must be a text in quotes or a whole number.' })
  return null
}

/** One fault for each message of a 400, in the words of a file. */
export const toFaults = (error: ApiError): Fault[] =>
  Object.entries(error.errors ?? { '': [error.message] }).flatMap(([field, reasons]) =>
    reasons.map((reason) => ({ field, reason: rewordForFile(reason) })),
  )

/** A file has no null, and days rather than times with an offset. */
const rewordForFile = (reason: string): string =>
  reason.startsWith('must be a date-time')
    ? 'must be a day of the calendar such as 2026-12-31.'
    : reason.replace(/ or null\.$/, '.')
