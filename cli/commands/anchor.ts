/** Records in the anchor folder what a person did to the audit trail by intention. */
import { isDateTime } from '../../core/calendar/date-time.ts'
import { openConfigured } from '../../server/main.ts'
import { openAnchor } from '../../server/platform/events/anchor.ts'
import { describeEndedRights, endRestoredRights } from '../../server/insight/restored/end-restored-rights.ts'
import { markRestored } from '../../server/platform/backups/restored-mark.ts'
import { readBusinessDate } from './acting-user.ts'
import { loadSettings, report } from '../settings.ts'

export async function runAnchorRestored(moment: string): Promise<void> {
  if (!isDateTime(moment) || moment.length === 10)
    throw new Error(`'${moment}' is no moment. Write it like 2026-11-21T14:03:00+01:00.`)
  const asOf = new Date(moment).toISOString()
  const settings = loadSettings()
  const anchor = openAnchor(settings)
  const database = await openConfigured(settings, report, { beside: true, existing: true })
  try {
    if (!(await anchor.recordRestore(asOf)))
      throw new Error(`${anchor.folder} has nothing anchored. Set FORDRA_ANCHOR as the server has it.`)
    report(`Recorded in ${anchor.folder}: the database was restored as of ${asOf}.`)
    await markRestored(database.sql, asOf)
    const ended = await endRestoredRights(
      database.sql,
      anchor,
      await readBusinessDate(database.sql, settings),
    )
    for (const line of describeEndedRights(ended!)) report(line)
  } finally {
    await database.close()
  }
}

export async function runAcceptKey(keyId: string): Promise<void> {
  const settings = loadSettings()
  const anchor = openAnchor(settings)
  const database = await openConfigured(settings, report, { beside: true, existing: true })
  try {
    await anchor.acceptKey(database.sql, keyId)
    report(`Recorded in ${anchor.folder}: the key ${keyId} is trusted from now on.`)
  } finally {
    await database.close()
  }
}
