import type { CellFault } from '../../../../contract/integration/cell-faults.ts'

/** A wrong member of a row. An empty field means the whole row. The reason never shows personal data. */
export interface Fault {
  field: string
  reason: string
  /** The reason in parts, of a cell that is not what its column holds. */
  cell?: CellFault
}

/** A record of the source: its members, or why it cannot be read. */
export interface SourceRow {
  /** Its first line in the file, counted from 1. */
  line: number
  /** The source's own reference, if it has one. */
  reference: string | null
  /** The members with a value, in alphabetical order. */
  members: Record<string, unknown>
  faults: Fault[]
  /** Better reasons than the check of the members has: of cells that are not what their columns hold. */
  cellFaults?: readonly Fault[]
  /** The cells as the file has them, for the report of rejected rows; a row of NDJSON is one cell. */
  original?: readonly string[]
}

export interface RowBlock {
  rows: SourceRow[]
  /** Bytes of the file read so far. */
  bytes: number
}

export const faultyRow = (line: number, reason: string, field = ''): SourceRow => ({
  line,
  reference: null,
  members: {},
  faults: [{ field, reason }],
})

/** A row with the key that identifies it from run to run. */
export interface KeyedRow extends SourceRow {
  key: string
}
