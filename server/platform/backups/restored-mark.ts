/**
 * The mark of a restored database whose rights have not been ended yet. It is written in the transaction that brings the
 * rows back, so that no start can miss it.
 */
import { toJson } from '../database/statement.ts'
import type { Db } from '../database/transaction.ts'

const name = 'restored'

/** Works on the tables of every version. */
export async function markRestored(tx: Db, asOf: string): Promise<void> {
  await tx`
    insert into live_setting (name, value) values (${name}, ${toJson(tx, { asOf })})
    on conflict (name) do update set value = excluded.value, changed_at = now()`
}

/** Removes the mark. Returns the moment of the restored state; undefined where there is no mark. */
export async function takeRestoredMark(tx: Db): Promise<string | undefined> {
  const [mark] = await tx<{ asOf: string }[]>`
    delete from live_setting where name = ${name} returning value ->> 'asOf' as "asOf"`
  return mark?.asOf
}
