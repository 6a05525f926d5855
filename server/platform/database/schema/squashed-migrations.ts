/**
 * Databases from before the first release, made by the 27 single migrations that the first 13 replaced. The tables are
 * the same, so only the record of migrations is replaced.
 */
import { createHash } from 'node:crypto'
import type { Database } from '../database.ts'
import { DatabaseUnusable } from '../database-unusable.ts'

export type AppliedMigration = { number: number; name: string; checksum: string }

/** SHA-256 of the 27, one `number name checksum` per line. */
const singleMigrations = '78a86d31679aaa9d07589ab8354d1e3ac67210f824f0e60b48bb2eabb918e4f4'
const replacedBy = 13
const lastCommitWithThem = '08b8894'

/** Throws DatabaseUnusable when a database does not have exactly the single migrations. */
export async function adoptSquashed(
  database: Database,
  migrations: readonly AppliedMigration[],
): Promise<void> {
  await database.begin(async (transaction) => {
    const applied = await transaction<AppliedMigration[]>`
      select number, name, checksum from schema_migration order by number`
    if (applied[0]?.name !== 'foundation') return
    if (fingerprint(applied) !== singleMigrations)
      throw new DatabaseUnusable(
        `This database was made by a version before the first release, and has ${applied.length} of its 27 migrations. ` +
          `Check out commit ${lastCommitWithThem} (no release had these migrations) and start it once on this ` +
          'database, which completes the 27. Then start this program.',
      )
    await transaction`delete from schema_migration`
    for (const { number, name, checksum } of migrations.slice(0, replacedBy))
      await transaction`insert into schema_migration (number, name, checksum) values (${number}, ${name}, ${checksum})`
  })
}

function fingerprint(applied: readonly AppliedMigration[]): string {
  const lines = applied.map(({ number, name, checksum }) => `${number} ${name} ${checksum}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
