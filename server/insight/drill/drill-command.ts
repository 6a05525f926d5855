import { JobFailure } from '../../platform/jobs/job.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import { BackupRefused } from '../../platform/backups/archive.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Settings } from '../../platform/config.ts'
import { describeDrill, findNewestBackup, runRestoreDrill } from './restore-drill.ts'

const drillCommand = 'restore-drill'

/** Restores the newest backup of FORDRA_BACKUPS on trial. The report is the job's result, or its error. */
export const restoreDrillCommand = (settings: Settings, anchorFolder: string): CommandHandler => ({
  command: drillCommand,
  run: async ({ databaseUrl, signal, progress }) => {
    const folder = settings.FORDRA_BACKUPS
    if (folder === undefined)
      throw new JobFailure('The restore drill needs FORDRA_BACKUPS, the folder of backups.')
    try {
      const file = await findNewestBackup(folder)
      const report = await runRestoreDrill(file, { databaseUrl, anchorFolder, signal, onCheck: progress })
      if (!report.isRight) throw new JobFailure(describeDrill(report).join(' '))
      return { ...report }
    } catch (error) {
      throw error instanceof BackupRefused ? new JobFailure(error.message) : error
    }
  },
})

/** Seconds since the last drill that found its backup to be right; null if the history of jobs has none. */
export async function findDrillAge(db: Db): Promise<number | null> {
  const [row] = await db<{ seconds: number | null }[]>`
    select extract(epoch from now() - max(ended_at))::float8 as seconds from job_run
    where kind = 'command' and name = ${drillCommand} and status = 'completed'`
  return row!.seconds
}
