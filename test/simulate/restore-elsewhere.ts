/** Moves a run's database to another name by a backup, as an operator does to another server. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../server/platform/database/database.ts'
import { checkArchive, restoreArchive } from '../../server/platform/backups/restore-backup.ts'
import { writeBackup } from '../../server/platform/backups/write-backup.ts'
import { Anchor } from '../../server/platform/events/anchor.ts'
import { anchorFile } from '../../server/platform/events/anchor-file.ts'
import type { Laboratory } from './laboratory.ts'
import { anchorFolders } from './simulated-node.ts'
import { realSleep } from './virtual-time.ts'

/** No node is connected any more. Returns the name of the new database and a connection to it. */
export async function restoreElsewhere(
  laboratory: Laboratory,
  sql: Database,
  former: string,
  folder: string,
): Promise<{ name: string; sql: Database }> {
  await untilAlone(sql)
  const file = join(folder, `${former}.tar`)
  const name = `${former}_r`
  await writeBackup(sql, file)
  const restored = await laboratory.createEmptyDatabase(name)
  try {
    const archive = await checkArchive(file)
    await restoreArchive(restored.sql, archive)
    for (const anchor of anchorFolders(folder).filter((one) => existsSync(anchorFile(one))))
      await new Anchor(anchor, undefined).recordRestore(archive.header.madeAt)
    const [clock] = await sql<{ moved: string }[]>`select moved::text from sim.clock`
    await restored.sql`update sim.clock set moved = ${clock!.moved}::interval`
  } catch (error) {
    await restored.sql.end({ timeout: 0 })
    throw error
  } finally {
    await rm(file, { force: true })
  }
  return { name, sql: restored.sql }
}

/** Statements that a dead node had sent still come to their end. */
async function untilAlone(sql: Database): Promise<void> {
  for (;;) {
    const [row] = await sql<{ others: number }[]>`
      select count(*)::int as others from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and application_name <> 'simulator'`
    if (row!.others === 0) return
    await realSleep(5)
  }
}
