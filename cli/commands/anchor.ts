/** Records in the anchor folder what a person did to the audit trail by intention. */
import { isDateTime } from '../../core/calendar/date-time.ts'
import { openConfigured } from '../../server/main.ts'
import { openAnchor } from '../../server/platform/events/anchor.ts'
import { loadSettings, report } from '../settings.ts'

export async function runAnchorRestored(moment: string): Promise<void> {
  if (!isDateTime(moment) || moment.length === 10)
    throw new Error(`'${moment}' is no moment. Write it like 2026-11-21T14:03:00+01:00.`)
  const asOf = new Date(moment).toISOString()
  const anchor = openAnchor(loadSettings())
  if (!(await anchor.recordRestore(asOf)))
    throw new Error(`${anchor.folder} has nothing anchored. Set FORDRA_ANCHOR as the server has it.`)
  report(`Recorded in ${anchor.folder}: the database was restored as of ${asOf}.`)
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
