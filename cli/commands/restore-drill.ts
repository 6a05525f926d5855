import { stat } from 'node:fs/promises'
import { BackupRefused } from '../../server/platform/backups/archive.ts'
import { anchorFolder } from '../../server/platform/events/anchor.ts'
import { describeDrill, findNewestBackup, runRestoreDrill } from '../../server/insight/drill/restore-drill.ts'
import { readStampRules } from '../../server/platform/events/time-stamper.ts'
import { openConfigured } from '../../server/main.ts'
import { loadSettings, report } from '../settings.ts'

/** Sets the exit code to 2 when the backup cannot be restored or is not right. Works beside a running server. */
export async function runDrill(place: string | undefined, options: { json?: boolean }): Promise<void> {
  const settings = loadSettings()
  const from = place ?? settings.FORDRA_BACKUPS
  if (from === undefined)
    throw new BackupRefused('Name a backup or a folder of backups, or set FORDRA_BACKUPS.')
  const file = (await stat(from)).isDirectory() ? await findNewestBackup(from) : from
  const database = await openConfigured(settings, report, { beside: true, existing: true })
  try {
    const result = await runRestoreDrill(file, {
      databaseUrl: database.url,
      anchorFolder: anchorFolder(settings),
      ...readStampRules(settings),
    })
    const text = options.json ? JSON.stringify(result) : describeDrill(result).join('\n')
    process.stdout.write(`${text}\n`)
    if (!result.isRight) process.exitCode = 2
  } finally {
    await database.close()
  }
}
