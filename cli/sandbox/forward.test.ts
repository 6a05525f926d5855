/** `fordra sandbox forward`: real nights, debtors by a model, the same result however it is reached. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import { addDays } from '../../core/calendar/calendar.ts'
import { findAgency } from '../../server/access/users/parties.store.ts'
import { assignStrategy } from '../../server/collection/strategies/strategies.store.ts'
import { copyInstallation } from '../../server/insight/sandbox/copy-installation.ts'
import type { Outcome } from '../../server/insight/sandbox/forward/outcome.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { verifyTrust } from '../../server/treasury/bank-files/verify-trust.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { openTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { childEnvironment } from '../../server/testing/programs/child-environment.ts'
import { fillDemo } from '../testing/fill-demo.ts'
import { runFordra } from '../testing/run-fordra.ts'
import { runHere } from '../testing/run-here.ts'

const today = '2026-06-15'
const nights = 60
const end = addDays(today, nights)
/** More than usual: the portfolio is small. */
const shares = ['--full', '15', '--part', '8', '--promise', '15', '--object', '6']
const folder = mkdtempSync(join(tmpdir(), 'fordra-forward-'))
chmodSync(folder, 0o711)

interface Answer {
  date: string
  isInterrupted: boolean
  outcome: Outcome | null
}

let api: TestApi
const copies: TestDatabase[] = []
let whole: TestDatabase
let first: Answer

before(async () => {
  api = await startApi()
  await fillDemo(api, today)
  await assignStrategy(api.sql, (await findAgency(api.sql))!, 'NORDIC')
  whole = await copy()
  first = await forward(whole, '--days', String(nights), ...shares)
})
after(async () => {
  for (const one of copies) await one.close()
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

async function copy(): Promise<TestDatabase> {
  const target = await openTestDatabase()
  copies.push(target)
  await copyInstallation(api.sql, target.sql, { masked: true })
  return target
}

const run = (url: string, ...args: string[]) =>
  runFordra(['sandbox', 'forward', ...args], { cwd: folder, env: { DATABASE_URL: url } })

async function forward({ url }: TestDatabase, ...args: string[]): Promise<Answer> {
  const { code, out, err } = await run(url, ...args, '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out) as Answer
}

/** Starts a run to the end and ends it by the signal after some nights; returns its exit code. */
async function interrupt({ url, sql }: TestDatabase, signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
  const program = join(import.meta.dirname, '../main.ts')
  const args = [
    '--disable-warning=ExperimentalWarning',
    program,
    'sandbox',
    'forward',
    '--until',
    end,
    ...shares,
  ]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: childEnvironment({ DATABASE_URL: url }),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  for (;;) {
    const [row] = await sql<{ date: string }[]>`select business_date as date from business_clock`
    if (row!.date > addDays(today, 25)) break
    assert.equal(child.exitCode, null, 'it ended by itself')
    const holders = await sql`
      select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
        and application_name = 'fordra sandbox forward' and backend_xmin is not null and state_change < now() - interval '1 s'`
    assert.equal(holders.length, 0, 'its lock keeps vacuum from dead rows')
    await sleep(5)
  }
  child.kill(signal)
  const [code] = await ended
  const [row] = await sql<{ date: string }[]>`select business_date as date from business_clock`
  assert.ok(row!.date < end, `${row!.date}: it was ended before its end`)
  return code
}

describe('a sandbox that is moved forward', () => {
  test('has had its nights: letters, fees, payments, closed cases, refusals by the law', () => {
    const { date, isInterrupted, outcome } = first
    assert.deepEqual([date, isInterrupted], [end, false])
    const { from, to, nights: passed, periods, totals, refusedByLaw } = outcome!
    assert.deepEqual([from, to, passed], [addDays(today, 1), end, nights])
    const sum = (member: 'collected' | 'fees' | 'letters' | 'closedCases' | 'refusedSteps') =>
      totals.reduce((all, one) => all + one[member], 0)
    for (const member of ['collected', 'fees', 'letters', 'closedCases', 'refusedSteps'] as const) {
      assert.ok(sum(member) > 0, member)
      const inPeriods = periods.reduce((all, one) => all + one[member], 0)
      assert.ok(Math.abs(inPeriods - sum(member)) < 0.005, `${member}: ${inPeriods} in periods`)
    }
    assert.ok(refusedByLaw.length > 0)
    for (const { rule } of refusedByLaw) assert.match(rule, /^[A-Z]{2}-/)
    assert.deepEqual(new Set(periods.map(({ period }) => period)).size, 3)
  })

  test('has collected what its ledgers say, and its books are right', async () => {
    const rows = await whole.sql<{ code: string; paid: string; closed: number }[]>`
      select c.currency_code as code,
        (select coalesce(sum(m.amount), 0)::text from movement m join debt_case k on k.id = m.case_id
         where m.kind in ('payment', 'thirdPartyPayment') and m.value_date > ${today} and k.currency_code = c.currency_code) as paid,
        (count(*) filter (where c.closure_date > ${today}))::int as closed
      from debt_case c group by 1 order by 1`
    const told = first.outcome!.totals.map(({ currencyCode, collected, closedCases }) => [
      currencyCode,
      Math.round(collected * 100),
      closedCases,
    ])
    assert.deepEqual(
      told,
      rows.filter(({ paid }) => paid !== '0').map(({ code, paid, closed }) => [code, Number(paid), closed]),
    )
    assert.deepEqual((await verifyLedger(whole.sql)).faults, [])
    assert.deepEqual(await verifyTrust(whole.sql), [])
  })

  test('has debtors who pay, promise and object, and has sent nothing', async () => {
    const [row] = await whole.sql`
      select (select count(*)::int from payment where source_reference like 'sandbox/%/letter/%') as letters,
        (select count(*)::int from payment where source_reference like 'sandbox/%/plan/%') as plans,
        (select count(*)::int from phone_call where promised_date > ${today}) as promises,
        (select count(*)::int from objection where received_date > ${today}) as objections,
        (select count(*)::int from message where sent_at is not null) as sent`
    const { sent, ...acts } = row!
    for (const [name, count] of Object.entries(acts)) assert.ok((count as number) > 0, name)
    assert.equal(sent, 0)
  })

  test('is the same in another copy, in two parts, and after an interruption', async () => {
    const other = await copy()
    await forward(other, '--days', '20', ...shares)
    assert.equal(await interrupt(other, 'SIGINT'), 130)
    assert.deepEqual(await forward(other, '--until', end, ...shares), first)
  })

  test('is the same after it was killed within a night', async () => {
    const other = await copy()
    await interrupt(other, 'SIGKILL')
    assert.deepEqual(await forward(other, '--until', end, ...shares), first)
  })

  test('does not wait for the disk at a commit, whatever its server is set to', async () => {
    const other = await copy()
    await other.sql.unsafe(`
      alter database "${new URL(other.url).pathname.slice(1)}" set synchronous_commit = on;
      create table seen (setting text);
      create function see() returns trigger language plpgsql as
        'begin insert into seen values (current_setting(''synchronous_commit'')); return null; end';
      create trigger seen after update on business_clock for each statement execute function see();
      create trigger seen after insert or update on day_end_step for each statement execute function see()`)
    await forward(other, '--days', '2', ...shares)
    const seen = await other.sql<{ setting: string }[]>`select distinct setting from seen`
    assert.deepEqual(
      seen.map(({ setting }) => setting),
      ['off'],
    )
  })

  test('is another one with another seed, and with other debtors', async () => {
    const other = await copy()
    const { outcome } = await forward(
      other,
      '--until',
      end,
      '--full',
      '0',
      '--part',
      '0',
      '--instalment',
      '0',
      '--keep',
      '0',
    )
    assert.equal(
      outcome!.totals.reduce((sum, { collected }) => sum + collected, 0),
      0,
    )
    const again = await copy()
    const seeded = await forward(again, '--until', end, '--seed', '2', ...shares)
    assert.notDeepEqual(seeded.outcome!.totals, first.outcome!.totals)
  })

  test('is told as a table by month or week, and stands where it says', async () => {
    const { code, out, err } = await run(whole.url, '--until', end, '--by', 'week')
    assert.equal(code, 0, err)
    assert.match(out, /^60 nights, 2026-06-16 to 2026-08-14\. .*model/)
    assert.match(out, /week +currency +collected +fees +letters +refused by law +cases closed/)
    assert.match(out, /2026-06-15 +SEK/)
    assert.match(out, /total +SEK/)
    assert.match(out, /rule +steps refused +fees left out/)
    assert.match(out, /The sandbox stands on 2026-08-14\.\n$/)
  })
})

const refused = async (url: string, args: string[], says: RegExp) => {
  const words = ['sandbox', 'forward', ...args]
  const { code, out, err } = await runHere(words, { cwd: folder, env: { DATABASE_URL: url } })
  assert.deepEqual([code, out], [1, ''], err)
  assert.match(err, says)
}

describe('moving forward is refused', () => {
  test('outside of a sandbox, whose date stays', async () => {
    await refused(api.databaseUrl, ['--days', '1'], /This is no sandbox: .*fordra sandbox \.\/sandbox/)
    assert.equal(api.app.service.clock.today(), today)
  })

  test('backwards, too far, and without a length', async () => {
    await refused(whole.url, ['--until', today], /stands on 2026-08-14 already/)
    await refused(whole.url, ['--until', '2099-01-01'], /at most 3660 days ahead/)
    await refused(whole.url, [], /--days 60, or --until/)
    await refused(whole.url, ['--days', '0'], /whole number from 1 to 3660/)
    await refused(whole.url, ['--until', '2026-02-30'], /Write a day/)
  })

  test('with shares above all letters', () =>
    refused(whole.url, ['--days', '1', '--full', '60', '--promise', '50'], /116 of 100 letters/))

  test('while another command moves it', async () => {
    await whole.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(7240062)`
      await refused(whole.url, ['--days', '1'], /being moved by another command/)
    })
  })
})
