/**
 * Migrations that were told apart anew after databases had been made with them: for a day 024 held what 024 and 025 hold
 * now, and its 025 a part of 026. Such a database is one that has the first two, and goes on from there.
 */
import type { Database } from './database.ts'
import type { Migration } from './migrate.ts'

const both = '0eb7d6d1d817548adbf6c085b515b4a68d6dd256299ef004f7e1d7713e042433'
const unchecked = '761ac4fbcb91f6f8659567f6cda6c12a0cb3b999d01f393653f71cfaeece71b4'

export async function renumberMigrations(
  database: Database,
  migrations: readonly Migration[],
): Promise<void> {
  await database.begin(async (transaction) => {
    const divided =
      await transaction`delete from schema_migration where number = 24 and checksum = ${both} returning 1`
    if (divided.length === 0) return
    const dropped = await transaction`
      delete from schema_migration where number = 25 and checksum = ${unchecked} returning 1`
    // 026 drops the check, and needs one to drop.
    if (dropped.length > 0)
      await transaction`alter table audit_entry add constraint audit_entry_check check (true) not valid`
    for (const { number, name, checksum } of migrations.slice(23, 25))
      await transaction`insert into schema_migration (number, name, checksum) values (${number}, ${name}, ${checksum})`
  })
}
