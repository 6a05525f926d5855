/** Makes records of a source's rows, with the same checks and messages as the API. */
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../platform/http/errors.ts'
import { compileCheck } from '../../platform/http/validation.ts'
import { referenceName } from './reading/columns.ts'
import { Fingerprints } from './reading/fingerprints.ts'
import type { ImportKind, PrepareContext, ReadyRow } from './import-kind.ts'
import { toFaults } from './reading/json-row.ts'
import type { CustomColumns } from './custom-columns.ts'
import type { Rejection } from './rejected-file.ts'
import type { Fault, KeyedRow, SourceRow } from './reading/row.ts'

export interface ReadyRows<Made> {
  ready: ReadyRow<Made>[]
  alreadyThere: number
  rejections: Rejection[]
}

const longestReference = 200

/** Gives each row its key: the source's reference, the kind's own, or a hash of the row's contents. */
export function startKeying<Made>(source: string, kind: ImportKind<Made>): (row: SourceRow) => KeyedRow {
  const occurrences = new Fingerprints()
  return (given) => {
    const row = { ...given, reference: given.reference ?? kind.readReference?.(given.members) ?? null }
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
    // Identical rows are separate records, and get the same keys in the next run.
    return { ...row, key: `${source}/${content}${before === 0 ? '' : `#${before + 1}`}` }
  }
}

const contentKey = (members: object) => `sha256:${hash('sha256', JSON.stringify(members), 'base64url')}`

/** Rows checked before yielding to other work, such as database answers. */
const rowsPerTurn = 64

/** Checks rows of one kind. `firstLines` remembers the line of each reference across calls. */
export function startPreparing<Made>(kind: ImportKind<Made>, own?: CustomColumns) {
  const firstLines = new Fingerprints()
  const checkInput = compileCheck(kind.schema)
  const make = (row: KeyedRow, context: PrepareContext): Made | Fault[] => {
    try {
      checkInput(row.members)
      return kind.prepare(row.members, row.key, context)
    } catch (error) {
      if (error instanceof ApiError) return toFaults(error)
      throw error
    }
  }
  /** Separates rows that exist already (`present` has their keys) and invalid rows; makes records of the rest. */
  return async (
    rows: readonly KeyedRow[],
    present: ReadonlySet<string>,
    context: PrepareContext,
  ): Promise<ReadyRows<Made>> => {
    const result: ReadyRows<Made> = { ready: [], alreadyThere: 0, rejections: [] }
    for (const [index, row] of rows.entries()) {
      if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
      const faults = row.faults.length > 0 ? row.faults : null
      if (!faults && present.has(row.key)) {
        const sameAsLine = recordLine(firstLines, row)
        if (sameAsLine === undefined) result.alreadyThere += 1
        else result.rejections.push(...rejectRow(row, [sameReference(sameAsLine)]))
        continue
      }
      const taken = faults || !own ? undefined : await own.take(row.members)
      const made = faults ?? make(taken ? { ...row, members: taken.members } : row, context)
      const wrong = [...(taken?.faults ?? []), ...(Array.isArray(made) ? made : [])]
      if (wrong.length > 0 || Array.isArray(made))
        result.rejections.push(...rejectRow(row, explainCells(row, wrong)))
      else
        result.ready.push({
          row,
          made,
          ...(taken && { own: taken.values }),
          sameAsLine: recordLine(firstLines, row),
        })
    }
    return completeRows(kind, result, context)
  }
}

/** The fault of a cell in place of what the check says of its member. */
const explainCells = ({ cellFaults = [] }: KeyedRow, faults: readonly Fault[]): Fault[] => [
  ...new Set(faults.map((fault) => cellFaults.find(({ field }) => field === fault.field) ?? fault)),
]

async function completeRows<Made>(
  kind: ImportKind<Made>,
  { ready, alreadyThere, rejections }: ReadyRows<Made>,
  context: PrepareContext,
): Promise<ReadyRows<Made>> {
  const faults = await kind.complete?.(
    ready.map(({ made }) => made),
    context,
  )
  if (!faults) return { ready, alreadyThere, rejections }
  return {
    ready: ready.filter((_, index) => faults[index]!.length === 0),
    alreadyThere,
    rejections: [...rejections, ...ready.flatMap(({ row }, index) => rejectRow(row, faults[index]!))],
  }
}

/** The earlier line with the same reference, if any. */
function recordLine(firstLines: Fingerprints, row: KeyedRow): number | undefined {
  const line = firstLines.update(row.key, (first = row.line) => first)
  return line === row.line ? undefined : line
}

export const sameReference = (line: number): Fault => ({
  field: referenceName,
  reason: `is already on line ${line}.`,
})

/** The outcome for an existing key: inserted earlier, unless this file repeats it. */
export const existingOutcome = ({ sameAsLine }: { sameAsLine: number | undefined }) =>
  sameAsLine === undefined ? ('already there' as const) : [sameReference(sameAsLine)]

export const rejectRow = (row: SourceRow, faults: readonly Fault[]): Rejection[] =>
  faults.map(({ cell, ...fault }) => ({
    line: row.line,
    sourceReference: row.reference === null ? null : row.reference.slice(0, longestReference),
    ...fault,
    ...(cell && { cell }),
    ...(row.original && { original: row.original }),
  }))
