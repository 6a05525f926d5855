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

/** Does something of each kind that a level can log, except that no connection ends. */
async function doEverything(): Promise<void> {
  await send('POST', '/system/commands/purge-expired', {})
  await send('POST', '/debtors', {})
  await send('POST', '/auth/password/forgot', { login: admin.login })
  // The attempts at a message are limited, and so are the messages to one login.
  await program.sql`update message set next_try_at = now(), attempts = 0 where sent_at is null`
  // A read that waits for a lock is a slow statement.
  let read: Promise<object> | undefined
  await inTransaction(program.sql, async (tx) => {
    await tx`lock table debtor`
    read = send('GET', '/debtors')
    await sleep(3 * slowStatementMs)
  })
  await read
}

/** Ends the program's idle connections, except those of its job queue, and waits until it is ready again. */
async function endConnections(): Promise<void> {
  await program.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state = 'idle' and application_name not like '%worker%'`
  await waitFor('the program to be ready again', async () => {
    const answer = await fetch(`${program.address}/health/ready`).catch(() => undefined)
    return answer?.ok === true
  })
}

/** Fails after a minute, so that what never comes has a name. */
async function waitFor(what: string, isThere: () => Promise<boolean> | boolean): Promise<void> {
  const until = Date.now() + 60_000
  while (!(await isThere())) {
    if (Date.now() > until) throw new Error(`Waited in vain for ${what}. ${program.readLog().slice(-5000)}`)
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
    const from = new Date().toISOString()
    // At level 8 slow statements are among all statements.
    const expected = Object.entries(detailLevels)
      .filter(([, least]) => least <= level)
      .map(([detail]) => detail)
      .filter((detail) => !(detail === 'slowStatement' && level >= detailLevels.statement))
    const readNew = () => readLines().filter(({ time }) => (time as string) >= from)
    const found = () =>
      new Set(
        readNew()
          .filter(({ logLevel }) => logLevel !== undefined)
          .map(({ msg }) => msg as string),
      )
    const isFound = (detail: string) => found().has(detail)
    const ordinary = expected.filter((detail) => detail !== 'connection')
    await doEverything()
    // Done again, since a job or a message may wait for its turn.
    await waitFor(ordinary.join(', '), async () => {
      if (ordinary.every(isFound)) return true
      await doEverything()
      return false
    })
    if (expected.includes('connection')) {
      // Again, since at one moment no connection may be idle.
      await waitFor('connections', async () => {
        if (!isFound('connection')) await endConnections()
        return isFound('connection')
      })
    }
    assert.deepEqual([...found()].toSorted(), expected.toSorted())
    assert.equal(
      readNew().some((line) => 'operation' in line),
      level >= 1,
    )
    for (const { logLevel, level: severity } of readNew())
      if (logLevel !== undefined) assert.equal(severity, Number(logLevel) <= 5 ? 'debug' : 'trace')
    assert.doesNotMatch(program.readLog(), /levels@agency|a long enough password/)
  })
}
