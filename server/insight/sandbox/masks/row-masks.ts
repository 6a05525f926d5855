/** The masks of the rows of each table. */
import { BackupRefused, type TableColumns } from '../../../platform/backups/archive.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { columnKinds, derivedTables, emptiedTables, listKinds, type MaskedColumn } from './column-kinds.ts'
import type { RowMask } from './copy-rows.ts'
import { collectKnownWords, collectMembers } from './known-words.ts'
import { createMasks } from './masks.ts'

export interface RowMasks {
  /** The mask of a table's rows; undefined when the table stays empty. Throws for a table without a place in the lists. */
  find(table: TableColumns): RowMask | undefined
}

/** What changes where personal data is copied as it is: secrets, and the transaction numbers of another cluster. */
const unmaskedKinds: Readonly<Record<string, readonly MaskedColumn[]>> = {
  app_user: [
    { column: 'password_hash', kind: 'none' },
    { column: 'client_secret_hash', kind: 'none' },
  ],
  audit_entry: [
    { column: 'xid', kind: 'first' },
    { column: 'feed_xid', kind: 'first' },
  ],
}
/** Needed by what is not masked: the trail of erasures, and the search. */
const unmaskedTables: readonly string[] = ['erasure', ...derivedTables]

export async function createRowMasks(
  from: Db,
  { masked, key, today }: { masked: boolean; key: Uint8Array; today: string },
): Promise<RowMasks> {
  const masks = createMasks({
    key,
    today,
    known: collectKnownWords(masked ? await listOwnCodes(from) : []),
    members: collectMembers(),
    idNumbers: masked ? await listIdNumbers(from) : new Map(),
  })
  const skipped = new Set([...emptiedTables, ...derivedTables])
  if (!masked) for (const table of unmaskedTables) skipped.delete(table)
  return {
    find: ({ table, columns }) => {
      const [schema, name] = table.split('.') as [string, string]
      if (schema !== 'public' || skipped.has(name)) return undefined
      if (!masked) return toRowMask(columns, unmaskedKinds[name] ?? [])
      requirePlace(name)
      return toRowMask(columns, listKinds(name))
    },
  }

  function toRowMask(columns: readonly string[], kinds: readonly MaskedColumn[]): RowMask {
    return columns.map((column) => {
      const kind = kinds.find((one) => one.column === column)?.kind
      return kind === undefined || kind === 'keep' ? undefined : masks[kind]
    })
  }
}

/** Tables that hold identifiers, dates, amounts and counts alone. */
export const numberTables: readonly string[] = (
  'business_clock case_counter dashboard_group dashboard_role deleted_note demand_group_case demand_letter_case ' +
  'law_review letter_fee note_mention payment_plan_case payment_plan_payment reference_version trial_arm trial_case ' +
  'trial_debtor user_access_group user_client_restriction'
).split(' ')

function requirePlace(table: string): void {
  if (table in columnKinds || numberTables.includes(table)) return
  throw new BackupRefused(`The table ${table} has no masks, so it is not copied.`)
}

/** Codes of the installation itself: keys of lookups, and the values that a custom field allows. */
async function listOwnCodes(from: Db): Promise<string[]> {
  const rows = await from<{ code: string }[]>`
    select lookup_key as code from lookup_value
    union select code from strategy union select code from strategy_step union select code from access_group
    union select trim(value) from user_field, unnest(string_to_array(specific_values, ',')) value`
  return rows.map(({ code }) => code)
}

async function listIdNumbers(from: Db): Promise<Map<string, string | null>> {
  const rows = await from<{ number: string; country: string | null }[]>`
    select id_number as number, id_country_code as country from debtor where id_number is not null
    union all select id_number, country_code from third_party where id_number is not null`
  return new Map(rows.map(({ number, country }) => [number, country]))
}
