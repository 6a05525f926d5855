/** A wrong member of a row: an empty field is the row as a whole. The reason never shows what stood there. */
export interface Fault {
  field: string
  reason: string
}

/** A record of the source: what it holds, or why it cannot be read. */
export interface SourceRow {
  /** Where it begins in the file, counted from 1. */
  line: number
  /** The source's own reference, if it has one. */
  reference: string | null
  /** The members it gives a value to, in alphabetical order. */
  members: Record<string, unknown>
  faults: Fault[]
}

export interface RowBlock {
  rows: SourceRow[]
  /** Of the file, read so far. */
  bytes: number
}

export const faultyRow = (line: number, reason: string, field = ''): SourceRow => ({
  line,
  reference: null,
  members: {},
  faults: [{ field, reason }],
})

/** A row with the key that it is known by from run to run. */
export interface KeyedRow extends SourceRow {
  key: string
}
