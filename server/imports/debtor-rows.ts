/** From the rows of a source to debtors: the same checks as D2, with the same messages. */
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DebtorInput } from '../../contract/debtors.ts'
import { prepareDebtor } from '../debtors/debtors.changes.ts'
import type { NewDebtor } from '../debtors/debtors.store.ts'
import { ApiError } from '../http/errors.ts'
import { checkOf } from '../http/validation.ts'
import { referenceName } from './columns.ts'
import { Fingerprints } from './fingerprints.ts'
import { faultsOf } from './json-row.ts'
import type { Rejection } from './rejected-file.ts'
import type { Fault, SourceRow } from './row.ts'

/** A row with the key that it is known by from run to run. */
export interface KeyedRow extends SourceRow {
  key: string
}

export interface ReadyDebtor {
  row: KeyedRow
  debtor: NewDebtor
  /** The line of this file that has the same reference already. */
  sameAsLine: number | undefined
}

export interface ReadyRows {
  ready: ReadyDebtor[]
  alreadyThere: number
  rejections: Rejection[]
}

const longestReference = 200
const checkInput = checkOf(DebtorInput)

/** Gives each row its key: the source's reference, or one made from what the row holds. */
export function startKeys(source: string): (row: SourceRow) => KeyedRow {
  const occurrences = new Fingerprints()
  return (row) => {
    if (row.reference !== null) {
      if (row.reference.length > longestReference || /\p{Cc}/u.test(row.reference)) {
        row.faults.push({
          field: referenceName,
          reason: `must be one line of at most ${longestReference} characters.`,
        })
      }
      return { ...row, key: `${source}/${row.reference}` }
    }
    const content = contentKey(row.members)
    const before = occurrences.update(content, (count = 0) => count + 1) ?? 0
    // Rows that are alike are as many debtors, and in the next run the same ones.
    return { ...row, key: `${source}/${content}${before === 0 ? '' : `#${before + 1}`}` }
  }
}

const contentKey = (members: object) => `sha256:${hash('sha256', JSON.stringify(members), 'base64url')}`

export interface PrepareContext {
  countryCode: string
  /** The business date. */
  today: string
}

/** Rows between two looks at what else there is to do: the database waits for answers meanwhile. */
const rowsInOneGo = 64

/**
 * Sorts out rows that are there already (`present` holds their keys) and those that are wrong, and makes debtors of the
 * rest. `firstLines` remembers across calls which line a reference stood on.
 */
export async function prepareRows(
  rows: readonly KeyedRow[],
  present: ReadonlySet<string>,
  firstLines: Fingerprints,
  context: PrepareContext,
): Promise<ReadyRows> {
  const result: ReadyRows = { ready: [], alreadyThere: 0, rejections: [] }
  for (const [index, row] of rows.entries()) {
    if (index % rowsInOneGo === rowsInOneGo - 1) await nextTurn()
    const faults = row.faults.length > 0 ? row.faults : null
    if (!faults && present.has(row.key)) {
      const sameAsLine = noteLine(firstLines, row)
      if (sameAsLine === undefined) result.alreadyThere += 1
      else result.rejections.push(...rejectRow(row, [sameReference(sameAsLine)]))
      continue
    }
    const made = faults ?? makeDebtor(row, context)
    if (Array.isArray(made)) result.rejections.push(...rejectRow(row, made))
    else result.ready.push({ row, debtor: made, sameAsLine: noteLine(firstLines, row) })
  }
  return result
}

/** The earlier line with the same reference, if any. */
function noteLine(firstLines: Fingerprints, row: KeyedRow): number | undefined {
  const line = firstLines.update(row.key, (first = row.line) => first)
  return line === row.line ? undefined : line
}

function makeDebtor(row: KeyedRow, context: PrepareContext): NewDebtor | Fault[] {
  try {
    checkInput(row.members)
    return { ...prepareDebtor(row.members, context), sourceReference: row.key }
  } catch (error) {
    if (error instanceof ApiError) return faultsOf(error)
    throw error
  }
}

export const sameReference = (line: number): Fault => ({
  field: referenceName,
  reason: `stands on line ${line} already.`,
})

export const sameIdNumber: Fault = { field: 'idNumber', reason: 'belongs to another debtor.' }

export const rejectRow = (row: SourceRow, faults: readonly Fault[]): Rejection[] =>
  faults.map(({ field, reason }) => ({
    line: row.line,
    sourceReference: row.reference === null ? null : row.reference.slice(0, longestReference),
    field,
    reason,
  }))
