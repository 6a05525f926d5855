/** Books that are exported for import and imported into an empty database are the same books. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { addDays } from '../../core/calendar/calendar.ts'
import {
  exportForImport,
  type CarriedFormat,
} from '../../server/integration/exports/for-import/export-for-import.ts'
import { imports } from '../../server/integration/imports/kinds/kinds.ts'
import { verifyLedger } from '../../server/ledger/verify-ledger.ts'
import { sealAudit, verifyAudit } from '../../server/platform/events/audit-seal.ts'
import { isWhole } from '../../server/platform/events/describe-audit.ts'
import { ApiError } from '../../server/platform/http/errors.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { agencyCaller, contextOn, makeDebtor, runDayEnd } from '../../server/testing/records/cases.ts'
import * as play from '../../server/testing/records/scenarios.ts'
import { reverse } from '../../server/testing/records/scenarios.ts'
import { holdCase } from '../../server/cases/holds/hold-case.ts'
import { registerCase } from '../../server/cases/register-case.ts'
import { createPlan } from '../../server/plans/plans.changes.ts'
import { verifyTrust } from '../../server/treasury/bank-files/verify-trust.ts'
import { fillDemo, setUp } from './fill-demo.ts'
import { compareBooks, readBooks } from './read-books.ts'
import { runFordra } from './run-fordra.ts'
import { runHere } from './run-here.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fordra-books-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let carries = 0
async function exportBooks(api: TestApi, format: CarriedFormat) {
  const own = join(folder, String(++carries))
  return { own, ...(await exportForImport(api.sql, { folder: own, format })) }
}

async function importFile(api: TestApi, what: keyof typeof imports, file: string) {
  const rejectedFile = `${file}.rejected.csv`
  const request = { file, source: 'moved', mappings: [], allowDuplicates: what === 'debtors', rejectedFile }
  const report = await imports[what](api.sql, request, { countryCode: 'SE', currencyCode: 'SEK' })
  const reasons = report.rejectedFile === null ? '' : await readFile(report.rejectedFile, 'utf8')
  return { counts: [report.inserted, report.alreadyThere, report.rejected], reasons }
}

/** Carries the books of one installation to an empty one on the same day, and asserts that they are the same. */
async function assertCarried(
  from: TestApi,
  date: string,
  format: CarriedFormat,
  prepare: (to: TestApi) => Promise<void> = async () => {},
): Promise<void> {
  const to = await startApi()
  try {
    await to.setDate(date)
    await prepare(to)
    const { own, files } = await exportBooks(from, format)
    for (const { what, file, rows } of files) {
      const made = await importFile(to, what, join(own, file))
      assert.deepEqual(made.counts, [rows, 0, 0], `${file}: ${made.reasons}`)
      assert.deepEqual((await importFile(to, what, join(own, file))).counts, [0, rows, 0], `${file} again`)
    }
    assert.deepEqual((await verifyLedger(to.sql)).faults, [])
    assert.deepEqual(await verifyTrust(to.sql), [])
    await sealAudit(to.sql)
    assert.ok(isWhole(await verifyAudit(to.sql)))
    const [books, carried] = [await readBooks(from), await readBooks(to)]
    assert.ok(books['cases']!.length > 0)
    assert.deepEqual(compareBooks(books, carried).slice(0, 5), [])
  } finally {
    await to.close()
  }
}

describe('the books of the demo', () => {
  const today = '2026-06-15'
  let api: TestApi
  before(async () => {
    api = await startApi()
    await fillDemo(api, today)
  })
  after(() => api.close())

  for (const format of ['ndjson', 'csv', 'xlsx'] as const)
    test(`come whole through ${format}`, () => assertCarried(api, today, format, setUp))

  test('come with a list of what does not travel, counted', async () => {
    const { leftBehind } = await exportBooks(api, 'ndjson')
    const count = (word: RegExp) => leftBehind.find(({ what }) => word.test(what))?.count
    const [row] = await api.sql`
      select (select count(*)::int from note) as notes,
        (select count(*)::int from app_user where password_hash is not null and not api_user) as passwords`
    assert.deepEqual([count(/^notes/), count(/^passwords/)], [row!['notes'], row!['passwords']])
    assert.ok(row!['notes'] > 0 && row!['passwords'] > 0)
  })

  test('are written by the command, which says how to import them and what is not there', async () => {
    const env = { DATABASE_URL: api.databaseUrl }
    const out = join(folder, 'written')
    const made = await runFordra(['export', 'all', '--for-import', '--out', out], { cwd: folder, env })
    assert.equal(made.code, 0, made.err)
    assert.match(
      made.out,
      /fordra import debtors .*03-debtors\.csv --source moved --allow-duplicates {3}\(60 rows\)/,
    )
    assert.match(made.out, /Not in the files:\n(.*\n)* +\d+ {2}notes\n/)
    const [heading] = (await readFile(join(out, '04-casehistories.csv'), 'utf8')).split('\r\n')
    assert.match(heading!, /^sourceReference,partyReferenceCode,debtorReference,.*,movements,/)
  })

  const refused: [args: string[], reason: RegExp][] = [
    [['cases', '--for-import', '--out', 'x'], /exports everything, as records refer to each other/],
    [['all', '--for-import'], /name a folder by --out/],
    [['all', '--for-import', '--out', 'x', '--format', 'pdf'], /'pdf' is no format.*csv, ndjson, xlsx/],
    [['all', '--for-import', '--out', 'x', '--filter', 'a eq 1'], /does not go with --filter/],
    [['all'], /export all --for-import --out/],
  ]
  for (const [args, reason] of refused)
    test(`are not written by ${args.join(' ')}`, async () => {
      const env = { DATABASE_URL: api.databaseUrl }
      const made = await runHere(['export', ...args], { cwd: folder, env })
      assert.equal(made.code, 1)
      assert.match(made.err, reason)
    })

  test('differ where one amount differs', async () => {
    const books = await readBooks(api)
    const [first, ...rest] = books['cases']!
    const changed = first!.replace(/"remainingPrincipal":[\d.]+/, '"remainingPrincipal":1.23')
    assert.notEqual(changed, first)
    assert.equal(compareBooks(books, { ...books, cases: [changed, ...rest] }).length, 1)
  })
})

/** Whole numbers below `limit`, the same for the same seed (mulberry32). */
function startDraws(seed: number) {
  let state = seed
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

const start = '2025-11-03'

/** A past of some cases of a debtor, with a plan on some days; what a rule refuses does not happen. */
async function drawPast(api: TestApi, clientGuid: string, draw: (limit: number) => number): Promise<string> {
  let today = start
  await api.setDate(today)
  const debtorGuid = await makeDebtor(api, { lastname: `Dragen${draw(1_000_000)}` })
  const opening = {
    interestRate: 10,
    interestFromDate: '2025-10-01',
    fee: 60,
    invoiceNumber: `F-${draw(1e6)}`,
  }
  const input = { clientGuid, debtorGuid, currencyCode: 'SEK', principal: 1000 + draw(9000), ...opening }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, contextOn(today))
  const named = new Map<string, string>()
  const amount = () => (1 + draw(draw(4) === 0 ? 1_500_000 : 200_000)) / 100
  const events: (() => play.Event)[] = [
    () => play.pay(amount(), { valueDate: addDays(today, -draw(5)), payerReference: `P${draw(8)}` }),
    () => play.pay(amount(), { toThirdParty: true }),
    () => play.payAsDebtor(amount()),
    () => (named.has('payment') ? reverse() : play.reopen),
    () => play.fee(60),
    () => play.invoice({ principal: amount(), dueDate: today, invoiceNumber: `T-${draw(20)}` }),
    () => play.credit(amount()),
    () => play.writeOff(amount()),
    () => play.terms({ interestSeries: 'SE', interestPoints: draw(9) }),
    () => play.terms({ allocationOrder: 'PRINCIPAL_INTEREST_COST', tolerance: draw(4) }),
    () => play.close('UNTRACEABLE'),
    () => play.reopen,
    () => play.hold('HOLD_DISPUTE'),
    () => pauseInterest,
    () => play.pay(20_000),
    () => play.interrupt('ACKNOWLEDGEMENT'),
    () => play.addDebtor(`other${draw(3)}`),
    () => play.anotherCase(amount(), 'second'),
    () => play.refund(1 + draw(50)),
    () => (named.has('second') ? play.useOn('second', 1 + draw(50)) : play.reopen),
    () => play.dayEnd,
    () => planFor(debtorGuid, draw),
  ]
  for (let step = 0; step < 18; step++) {
    today = addDays(today, draw(16))
    await api.setDate(today)
    const stage = { api, context: contextOn(today), clientGuid, debtorGuid, caseGuid, named }
    await events[draw(events.length)]!()(stage).catch((error: unknown) =>
      assert.ok(error instanceof ApiError, String(error)),
    )
    await runDayEnd(api.sql, contextOn(today).origin)
  }
  return today
}

const pauseInterest: play.Event = ({ api, context, caseGuid }) => {
  const input = {
    reason: 'HOLD_COMPLAINT',
    interestPaused: true,
    holdUntil: addDays(context.origin.businessDate, 20),
  }
  return holdCase(api.sql, agencyCaller, { caseGuid, input }, context)
}

const planFor =
  (debtorGuid: string, draw: (limit: number) => number): play.Event =>
  ({ api, context: { origin } }) => {
    const environment = { countryCode: 'SE', currencyCode: 'SEK' }
    const input = {
      paymentPlanType: 1 as const,
      numberOfPayments: 3 + draw(9),
      active: 1 as const,
      registrationFee: 170,
    }
    return createPlan(api.sql, agencyCaller, { debtorGuid, input }, { origin, environment })
  }

test('drawn pasts come whole to an empty database', async () => {
  const api = await startApi()
  try {
    const clientGuid = await api.addParty('DRAWN')
    await api.sql`update party set currency_code = 'SEK', country_code = 'SE', tolerance = 3 where id = ${clientGuid}`
    const draw = startDraws(24)
    let last = start
    for (let past = 0; past < 40; past++) {
      const ended = await drawPast(api, clientGuid, draw)
      if (ended > last) last = ended
    }
    await api.setDate(last)
    await runDayEnd(api.sql, contextOn(last).origin)
    const [kinds] = await api.sql`
      select count(distinct kind)::int as kinds, (select count(*)::int from payment_plan) as plans,
        (select count(*)::int from payment where reversed_date is not null) as reversed,
        (select count(*)::int from debt_case where closure_code is not null) as closed from movement`
    assert.ok(
      kinds!['kinds'] >= 13 && kinds!['plans'] > 5 && kinds!['reversed'] > 3 && kinds!['closed'] > 3,
      JSON.stringify(kinds),
    )
    await assertCarried(api, last, 'ndjson')
  } finally {
    await api.close()
  }
})
