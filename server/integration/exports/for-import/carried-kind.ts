/** A kind of records that an export for import carries, as SQL. */
import type { TObject } from 'typebox'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'

export interface CarriedKind {
  what: ImportedKind
  /** What the import takes. */
  schema: TObject
  /** The entity whose custom fields come along, with the column that has them. */
  entity?: string
  custom?: string
  /** The SQL of each column of the file. */
  members: Readonly<Record<string, string>>
  /** The tables, with conditions and order. */
  from: string
  /** The row of the file, where it is not what SQL gives. */
  toRow?(row: Record<string, unknown>): Record<string, unknown>
}
