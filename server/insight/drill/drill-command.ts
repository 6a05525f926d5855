import { JobFailure } from '../../platform/jobs/job.ts'
import type { CommandHandler } from '../../platform/jobs/command.ts'
import { BackupRefused } from '../../platform/backups/archive.ts'
import type { Settings } from '../../platform/config.ts'
import { readStampRules } from '../../platform/events/time-stamper.ts'
import { describeDrill, findNewestBackup, runRestoreDrill } from './restore-drill.ts'

/** Restores the newest backup of FORDRA_BACKUPS on trial. The report is the job's result, or its error. */
export const restoreDrillCommand = (settings: Settings, anchorFolder: string): CommandHandler => ({
  command: 'restore-drill',
  run: async ({ databaseUrl, signal, progress }) => {
    const folder = settings.FORDRA_BACKUPS
    if (folder === undefined)
      throw new JobFailure('The restore drill needs FORDRA_BACKUPS, the folder of backups.')
    try {
      const file = await findNewestBackup(folder)
      const report = await runRestoreDrill(file, {
        databaseUrl,
        anchorFolder,
        ...readStampRules(settings),
        signal,
        onCheck: progress,
      })
      if (!report.isRight) throw new JobFailure(describeDrill(report).join(' '))
      return { ...report }
    } catch (error) {
      throw error instanceof BackupRefused ? new JobFailure(error.message) : error
    }
  },
})
