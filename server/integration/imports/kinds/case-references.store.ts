/** Resolves the references in files of cases, invoices and payments: the source's own references first, then ours. */
import { runStatement } from '../../../platform/database/statement.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { agencyItself, type Caller } from '../../../platform/http/caller.ts'

/** The import acts for the agency, without restrictions. */
export const importCaller: Caller = agencyItself

const tables = {
  client: { table: 'party', own: 'lower(reference_code)', where: 'and parent_id is not null' },
  debtor: { table: 'debtor', own: 'debtor_reference', where: '' },
  case: { table: 'debt_case', own: 'case_number', where: '' },
} as const

/** Maps references of a file from `source` to GUIDs. */
export async function findReferenced(
  db: Db,
  kind: keyof typeof tables,
  source: string,
  references: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const { table, own, where } = tables[kind]
  const wanted = [...new Set(references.filter((one): one is string => typeof one === 'string'))]
  if (wanted.length === 0) return new Map()
  const rows = await runStatement<{ reference: string; guid: string }>(
    db,
    `select w.reference, t.id as guid from unnest($1::text[]) w (reference)
     join ${table} t on ${own} = ${own.startsWith('lower') ? 'lower(w.reference)' : 'w.reference'} ${where}
     union all
     select w.reference, t.id from unnest($1::text[]) w (reference)
     join ${table} t on t.source_reference = $2 || '/' || w.reference ${where}`,
    [wanted, source],
    { prepare: true },
  )
  return new Map(rows.map(({ reference, guid }) => [reference, guid]))
}
