/**
 * Which step of a strategy is due is written twice: in SQL for the day-end (`listDueSteps`) and in TypeScript for the
 * simulation (`simulateStrategy`). Both are asked about the same random cases and strategies.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../../core/calendar/calendar.ts'
import {
  caseStatuses,
  isOpenStatus,
  services,
  type OpenStatus,
  type SubStatus,
} from '../../../core/cases/case-lifecycle.ts'
import type { StrategyStep } from '../../../core/cases/strategies.ts'
import { registerCase } from '../../cases/register-case.ts'
import { rowsHelper } from '../../platform/database/statement.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, contextOn, makeDebtor } from '../../testing/records/cases.ts'
import { simulate } from './simulate.ts'
import { listDueSteps } from './due-steps.store.ts'
import { assignStrategy, insertSteps, insertStrategy, updateStrategy } from './strategies.store.ts'
import { findStretch } from './waiting-cases.store.ts'

const today = '2026-06-15'
const caseCount = 12

let api: TestApi
let strategyGuid: string
/** The clients: with a country, with that of the party above, and below one that has the strategy. */
let clients: string[]
let caseGuids: string[]
before(async () => {
  api = await startApi()
  await api.setDate(today)
  clients = await Promise.all(['ONE', 'TWO', 'THREE'].map((code) => api.addParty(code)))
  await api.sql`update party set parent_id = ${clients[1]!} where id = ${clients[2]!}`
  const step: StrategyStep = { code: 'FIRST', status: 'NEW', afterDays: 0, actions: [sentDemand] }
  const strategy = { code: 'RANDOM', name: 'Random', source: '', unverified: false, steps: [step] }
  strategyGuid = (await insertStrategy(api.sql, strategy))!
  for (const client of clients.slice(0, 2)) await assignStrategy(api.sql, client, 'RANDOM')
  const debtorGuid = await makeDebtor(api)
  caseGuids = []
  for (let index = 0; index < caseCount; index++) {
    const input = {
      clientGuid: clients[index % clients.length],
      debtorGuid,
      principal: 1000,
      currencyCode: 'SEK',
    }
    caseGuids.push((await registerCase(api.sql, agencyCaller, input, contextOn(today))).caseGuid)
  }
})
after(() => api.close())

const sentDemand = { kind: 'status', status: 'AMICABLE', subStatus: 'DEMAND_SENT' } as const

const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Few of each, so that conditions hold about as often as not. */
const places = Object.keys(caseStatuses).filter(isOpenStatus)
const someStatus = fc.oneof(fc.constantFrom<OpenStatus>('NEW', 'AMICABLE'), fc.constantFrom(...places))
const somePlace = someStatus.chain((status) =>
  fc.record({
    status: fc.constant(status),
    subStatus: fc.constantFrom<SubStatus>(...caseStatuses[status].subStatuses),
  }),
)
const someCountry = fc.constantFrom('SE', 'NO', 'DE')
const someCurrency = fc.constantFrom('SEK', 'JPY', 'KWD')
const minorPerUnit: Record<string, number> = { SEK: 100, JPY: 1, KWD: 1000 }
const someService = fc.constantFrom(...services)
const someDays = fc.constantFrom(0, 1, 7, 30, 36_500)
/** In the currency itself, with at most two decimals as the rules for a step demand. */
const someAmount = fc.constantFrom(0, 0.01, 0.07, 0.29, 1, 9.99, 10, 100, 19_999.99, 1e9, 1e12)

const someSteps = fc
  .array(
    fc.record({
      place: somePlace,
      anySubStatus: fc.boolean(),
      afterDays: someDays,
      service: rarely(someService),
      countries: rarely(fc.uniqueArray(someCountry, { maxLength: 3 })),
      currencies: rarely(fc.uniqueArray(someCurrency, { minLength: 1, maxLength: 3 })),
      amountFrom: rarely(someAmount),
      amountBelow: rarely(someAmount),
      onPlan: rarely(fc.boolean()),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps) =>
    steps.map(({ place: { status, subStatus }, anySubStatus, ...conditions }, index) => {
      const step = {
        code: `S${index}`,
        status,
        ...(!anySubStatus && { subStatus }),
        ...conditions,
        actions: [sentDemand],
      }
      return JSON.parse(JSON.stringify(step)) as StrategyStep
    }),
  )

const someCase = fc.record({
  place: somePlace,
  service: someService,
  currency: someCurrency,
  /** In minor units: exactly at, or beside, an amount that a step may name. */
  owed: fc.record({ units: someAmount, more: fc.integer({ min: -1, max: 1 }) }),
  interest: fc.constantFrom(0, 1, 99),
  since: fc.option(fc.constantFrom(0, 1, 6, 7, 30, 31, 36_500)),
  registeredBefore: fc.constantFrom(0, 1, 7, 40),
  hold: rarely(fc.constantFrom('HOLD_DISPUTE', 'HOLD_CLIENT')),
  isClosed: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  /** Steps of an older or the newest version that were taken or refused. */
  taken: fc.array(
    fc.record({
      version: fc.integer({ min: 0, max: 2 }),
      index: fc.nat(5),
      refusedBefore: fc.option(fc.constantFrom(0, 1)),
    }),
    { maxLength: 2 },
  ),
})
type RandomCase = typeof someCase extends fc.Arbitrary<infer T> ? T : never

const someSetting = fc.record({
  versions: fc.tuple(someSteps, someSteps),
  running: fc.boolean(),
  countries: fc.tuple(...Array.from({ length: 3 }, () => fc.option(someCountry))),
  cases: fc.array(someCase, { minLength: caseCount, maxLength: caseCount }),
})
type Setting = typeof someSetting extends fc.Arbitrary<infer T> ? T : never

async function store({ versions, running, countries, cases }: Setting): Promise<void> {
  await inTransaction(api.sql, async (tx) => {
    await tx`delete from strategy_step_taken`
    await tx`delete from strategy_step where strategy_id = ${strategyGuid} and version > 1`
    const named = { name: 'Random', source: null }
    await tx`update strategy set running_from = 1 where id = ${strategyGuid}`
    for (const [index, steps] of versions.entries()) {
      const version = index + 2
      await insertSteps(tx, { strategyGuid, version }, steps)
      await updateStrategy(tx, strategyGuid, { ...named, version, running: running && index > 0 })
    }
    for (const [index, country] of countries.entries())
      await tx`update party set country_code = ${country} where id = ${clients[index]!}`
    const steps = await tx<{ id: string; version: number; number: number }[]>`
      select id, version, number from strategy_step where strategy_id = ${strategyGuid}`
    for (const [index, one] of cases.entries()) {
      const caseId = caseGuids[index]!
      await updateCase(caseId, one, tx)
      const taken = one.taken.flatMap(({ version, index: number, refusedBefore }) =>
        steps
          .filter((step) => step.version === version + 1 && step.number === number + 1)
          .map(({ id }) => ({
            case_id: caseId,
            step_id: id,
            business_date: addDays(today, -(refusedBefore ?? 0)),
            refused: refusedBefore === null ? null : 'Refused.',
          })),
      )
      const distinct = taken.filter(
        (row, at) => taken.findIndex(({ step_id: id }) => id === row.step_id) === at,
      )
      if (distinct.length > 0) await tx`insert into strategy_step_taken ${rowsHelper(tx, distinct)}`
    }
  })
}

async function updateCase(
  id: string,
  one: RandomCase,
  tx: TestApi['sql'] | Parameters<Parameters<typeof inTransaction>[1]>[0],
) {
  const { place, currency, owed, interest, isClosed } = one
  const hold = one.hold ?? null
  const minor = Math.max(0, Math.round(owed.units * minorPerUnit[currency]!) + owed.more)
  const since = one.since === null ? null : addDays(today, -one.since)
  await tx`
    update debt_case set place_status = ${place.status}, place_sub_status = ${place.subStatus}, hold = ${hold},
      status = ${isClosed ? 'CLOSED' : place.status}, sub_status = ${isClosed ? 'RECALLED' : (hold ?? place.subStatus)},
      closure_code = ${isClosed ? 'RECALLED_BY_CLIENT' : null}, closure_date = ${isClosed ? today : null},
      service = ${one.service}, currency_code = ${currency}, minor_per_unit = ${minorPerUnit[currency]!},
      registration_date = ${addDays(today, -one.registeredBefore)},
      original_principal = ${minor}, accrued_interest = ${minor === 0 ? 0 : interest}
    where id = ${id}`
  // A trigger dates a new status.
  await tx`update debt_case set status_since = ${since} where id = ${id}`
}

test('the day-end and the simulation find the same step due for every case', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(someSetting, async (setting) => {
      await store(setting)
      const { caseGuids: waiting } = await findStretch(
        api.sql,
        { half: null, date: today, after: null },
        1000,
      )
      const due = await listDueSteps(api.sql, today, waiting)
      const { course } = await simulate(
        api.sql,
        { strategyGuid, days: 0 },
        { today, services: [], environment: { countryCode: 'SE', currencyCode: 'SEK' } },
      )
      const simulated = new Map<string, string>()
      for (const { caseNumber, step } of course)
        if (!simulated.has(caseNumber!)) simulated.set(caseNumber!, step)
      const stored = new Map(due.map(({ caseNumber, step }) => [caseNumber, step]))
      found += due.length
      assert.deepEqual(Object.fromEntries(simulated), Object.fromEntries(stored))
    }),
    { numRuns: 40 },
  )
  assert.ok(found > 20, `Steps were due: ${found}`)
})
