/** A wrong member of a row. An empty field means the whole row. The reason never shows the value. */
export interface Fault {
  field: string
  reason: string
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
