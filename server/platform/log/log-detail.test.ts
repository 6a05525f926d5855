/** What each log level (S12) adds, as docs/operate/settings.md says. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../database/transaction.ts'
import { startProgram } from '../../testing/programs/logging-program.ts'
import { detailLevels, slowStatementMs } from './log-detail.ts'

const admin = { login: 'levels@agency.example', password: 'a long enough password' }
let program: Awaited<ReturnType<typeof startProgram>>
let token = ''
before(async () => {
  program = await startProgram({
    FORDRA_LOG_LEVEL: '0',
    FORDRA_RATE_LIMIT: '0',
    FORDRA_ADMIN_EMAIL: admin.login,
    FORDRA_ADMIN_PASSWORD: admin.password,
    // Nothing listens there.
    FORDRA_SMTP_URL: 'smtp://127.0.0.1:1',
    FORDRA_MAIL_FROM: 'agency@agency.example',
  })
  token = ((await send('POST', '/auth/login', admin)) as { accessToken: string }).accessToken
})
after(() => program.stop())

async function send(method: string, path: string, body?: object): Promise<object> {
  const response = await fetch(`${program.address}/api/v1${path}`, {
    method,
    headers: {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as object
}

/** Does something of each kind that a level can log. */
async function doEverything(): Promise<void> {
  await program.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and application_name not like '%worker%'`
  await waitUntilReady()
  await send('POST', '/system/commands/purge-expired', {})
  await send('POST', '/debtors', {})
  await program.sql`update message set next_try_at = now() where sent_at is null`
  await send('POST', '/auth/password/forgot', { login: admin.login })
  // A read that waits for a lock is a slow statement.
  let read: Promise<object> | undefined
  await inTransaction(program.sql, async (tx) => {
    await tx`lock table debtor`
    read = send('GET', '/debtors')
    await sleep(3 * slowStatementMs)
  })
  await read
}

async function waitUntilReady(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${program.address}/health/ready`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
}

const readLines = () =>
  program
    .readLog()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

for (let level = 0; level <= 10; level++) {
  test(`level ${level} logs what is documented, and nothing of the levels above`, async () => {
    await send('PUT', '/system/loglevel', { logLevel: level })
    const from = readLines().length
    await doEverything()
    // At level 8 slow statements are among all statements.
    const expected = Object.entries(detailLevels)
      .filter(([, least]) => least <= level)
      .map(([detail]) => detail)
      .filter((detail) => !(detail === 'slowStatement' && level >= detailLevels.statement))
    const found = () =>
      new Set(
        readLines()
          .slice(from)
          .filter(({ logLevel }) => logLevel !== undefined)
          .map(({ msg }) => msg as string),
      )
    // Done again as long as something is missing: at one moment no connection may be idle, or no statement slow.
    while (expected.some((detail) => !found().has(detail))) {
      await sleep(50)
      await doEverything()
    }
    assert.deepEqual([...found()].toSorted(), expected.toSorted())
    assert.equal(
      readLines()
        .slice(from)
        .some((line) => 'operation' in line),
      level >= 1,
    )
    for (const { logLevel, level: severity } of readLines().slice(from))
      if (logLevel !== undefined) assert.equal(severity, Number(logLevel) <= 5 ? 'debug' : 'trace')
    assert.doesNotMatch(program.readLog(), /levels@agency|a long enough password/)
  })
}
