/** `fordra import payment-file FILE`: checks a bank file of any size as a whole, then books it directly. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { dateSteps } from '../date-steps.ts'
import { startBusinessClock } from '../../server/platform/clock/business-clock.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { openConfigured } from '../../server/platform/database/open-configured.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import { postFile } from '../../server/treasury/bank-files/post-entries.ts'
import { receivePaymentFile } from '../../server/treasury/bank-files/receive-file.ts'
import { loadSettings, report } from '../settings.ts'

const bytesMax = 2_048 * 1_048_576
const someInSuspense = 3
const statementTimeoutMs = 60_000

/** Sets the exit code: 0 when every payment is booked, 3 when some went to suspense. Throws for an invalid file. */
export async function runPaymentFileImport(file: string, { json }: { json?: boolean }): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found?.isFile()) throw new Error(`There is no file ${file}.`)
  const settings = loadSettings()
  const database = await openConfigured(settings, report, { beside: true })
  const sql = openDatabase(database.url, { max: 3, applicationName: 'fordra import', statementTimeoutMs })
  try {
    const timeZone = settings.FORDRA_TIME_ZONE
    const clock = await startBusinessClock(sql, { timeZone, steps: dateSteps, onError: () => {} })
    try {
      await run(sql, file, { json: json === true, today: clock.today() })
    } finally {
      clock.stop()
    }
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}

async function run(sql: Sql, file: string, { json, today }: { json: boolean; today: string }): Promise<void> {
  const begin = performance.now()
  const origin: Origin = { actorId: null, requestId: null, operation: 'import', businessDate: today }
  const fileName = basename(file).slice(0, 255)
  const source = createReadStream(file, { highWaterMark: 262_144 })
  const received = await receivePaymentFile(sql, source, { fileName, bytesMax, origin })
  const isTold = !json && process.stderr.isTTY
  let posted = 0
  const onChunk = (more: number) => {
    posted += more
    if (isTold) process.stderr.write(`\r  ${posted} of ${received.entries} booked`)
  }
  await postFile(sql, received.fileGuid, { origin, onChunk })
  if (isTold) process.stderr.write('\n')
  const [counts] = await sql<Counts[]>`
    select format, entries, booked, suspended, already_there as "alreadyThere", not_booked as "notBooked"
    from payment_file where id = ${received.fileGuid}`
  const seconds = Math.round(performance.now() - begin) / 1000
  const { fileGuid: paymentFileGuid, isNew } = received
  process.stdout.write(
    json
      ? `${JSON.stringify({ paymentFileGuid, isNew, ...counts!, seconds })}\n`
      : describe(file, counts!, { isNew, seconds }),
  )
  if (counts!.suspended > 0) process.exitCode = someInSuspense
}

interface Counts {
  format: string
  entries: number
  booked: number
  suspended: number
  alreadyThere: number
  notBooked: number
}

function describe(
  file: string,
  { format, entries, booked, suspended, alreadyThere, notBooked }: Counts,
  { isNew, seconds }: { isNew: boolean; seconds: number },
): string {
  const rows = [
    `${basename(file)} (${format}): ${entries} entries in ${seconds.toFixed(1)} s`,
    ...(isNew ? [] : ['  This file had come before: nothing of it is booked twice.']),
    `  booked         ${booked}`,
    `  in suspense    ${suspended}`,
    `  already there  ${alreadyThere}`,
    `  no payments    ${notBooked}`,
  ]
  return `${rows.join('\n')}\n`
}
