/** The simulation demands claims together as the nights then do: the same steps on the same days, fees and letters. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { Simulation } from '../../../contract/collection/strategy-simulation.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, contextOn } from '../../testing/records/cases.ts'
import { makeDemands, notified, start, type Demands } from '../../testing/records/demands.ts'
import { holdCase } from '../../cases/holds/hold-case.ts'

const numRuns = Number(process.env['FORDRA_DEMAND_RUNS'] ?? 8)
const nights = 45

let api: TestApi
let demands: Demands
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
  demands = makeDemands(api)
})
after(() => api.close())

async function simulate(caseGuids: readonly string[], days: number) {
  const [strategy] = await api.sql<{ id: string }[]>`select id from strategy where code = 'NORDIC'`
  const { status, body, text } = await api.call<Simulation>('POST', '/strategies/simulate', {
    body: { strategyGuid: strategy!.id, days },
  })
  assert.equal(status, 200, text)
  assert.ok(!body.isSample)
  const own = await api.sql<{ number: string }[]>`
    select case_number as number from debt_case where id = any(${[...caseGuids]}::uuid[]) order by case_number`
  const numbers = own.map(({ number }) => number)
  const course = body.course.filter(
    ({ caseNumber, refused }) => refused === null && numbers.includes(caseNumber!),
  )
  return { numbers, steps: body.steps, course }
}

test('three Norwegian claims are simulated with one letter and one fee, by their joint principal (simulateStrategy)', async () => {
  const { register } = await demands.open('NO')
  const cases: string[] = []
  for (const principal of [600, 700, 800]) cases.push(await register({ ...notified, principal }))
  const { numbers, steps, course } = await simulate(cases, 0)
  const [oldest] = numbers
  assert.deepEqual(
    course.map((one) => [one.caseNumber, one.remaining, one.together, one.demandedWith]),
    [
      [oldest, 900, 3, null],
      [numbers[1], 700, 3, oldest],
      [numbers[2], 800, 3, oldest],
    ],
  )
  assert.ok(course[0]!.actions.some((one) => one.startsWith('letter')))
  for (const { actions } of course.slice(1)) assert.ok(actions.every((one) => one.startsWith('status')))
  assert.deepEqual(steps.find(({ step }) => step === course[0]!.step)?.together, 3)
})

test('a claim on hold, one that is demanded alone, and one of another debtor are not simulated with the others', async () => {
  const { register } = await demands.open('NO')
  const cases: string[] = []
  for (const principal of [600, 700, 800, 900]) cases.push(await register({ ...notified, principal }))
  const disputed = { caseGuid: cases[0]!, input: { reason: 'HOLD_DISPUTE' } }
  await holdCase(api.sql, agencyCaller, disputed, contextOn(start))
  const out = await demands.setDemand(cases[1]!, { demandedAlone: true, demandReason: 'Decided' })
  assert.equal(out.status, 200)
  const other = await demands.open('NO')
  const beside = await other.register(notified)
  const { course } = await simulate([...cases, beside], 0)
  const last = new Map(course.map(({ caseNumber, together }) => [caseNumber, together]))
  assert.deepEqual([...last.values()].toSorted(), [1, 1, 2, 2])
})

/** What the nights did: steps with case and day, letters with day, and what each case then owes. */
async function readNights(caseGuids: readonly string[]) {
  const taken = await api.sql<{ line: string }[]>`
    select c.case_number || ' ' || (k.business_date - ${start}::date) || ' ' || s.code as line
    from strategy_step_taken k join strategy_step s on s.id = k.step_id join debt_case c on c.id = k.case_id
    where k.refused is null and c.id = any(${[...caseGuids]}::uuid[]) order by 1`
  const letters = await api.sql<{ line: string }[]>`
    select (d.business_date - ${start}::date) || ' ' || d.kind as line from document d
    where d.debtor_id in (select main_debtor_id from debt_case where id = any(${[...caseGuids]}::uuid[])) order by 1`
  const left = await api.sql<{ number: string; left: number }[]>`
    select case_number as number, (remaining_principal + remaining_interest + remaining_fee)::int as left from debt_case
    where id = any(${[...caseGuids]}::uuid[]) order by 1`
  return {
    taken: taken.map(({ line }) => line),
    letters: letters.map(({ line }) => line),
    left: left.map(({ number, left: minor }) => `${number} ${minor}`),
  }
}

function readCourse(course: Simulation['course'], unmoved: readonly string[]) {
  const letters = course.flatMap(({ day, actions }) =>
    actions.flatMap((one) => (one.startsWith('letter ') ? [`${day} ${one.split(' ')[1]}`] : [])),
  )
  const left = new Map(course.map(({ caseNumber, remaining }) => [caseNumber!, Math.round(remaining * 100)]))
  return {
    taken: course.map(({ caseNumber, day, step }) => `${caseNumber} ${day} ${step}`).toSorted(),
    letters: letters.toSorted(),
    left: [...[...left].map(([number, minor]) => `${number} ${minor}`), ...unmoved].toSorted(),
  }
}

const somePortfolio = fc.record({
  country: fc.constantFrom('NO', 'NO', 'SE', 'DK', 'FI'),
  wish: fc.constantFrom(null, true, false),
  claims: fc.array(
    fc.record({
      principal: fc.constantFrom(80, 450, 600.01, 999.99, 12_000),
      service: fc.constantFrom('PRECOLLECTION', 'COLLECTION', 'COLLECTION'),
      noticed: fc.boolean(),
      // A claim that fell due later may be demanded later.
      dueDate: fc.constantFrom('2026-01-15', '2026-01-15', '2026-02-25', '2026-03-12'),
    }),
    { minLength: 2, maxLength: 5 },
  ),
})

type Portfolio = typeof somePortfolio extends fc.Arbitrary<infer T> ? T : never

/** The second claim comes to a place where the first one waits, and both then reach the limit of a step. */
const arrivingLater: Portfolio = {
  country: 'NO',
  wish: null,
  claims: (['2026-02-25', '2026-01-15'] as const).map((dueDate) => ({
    principal: 80,
    service: 'PRECOLLECTION',
    noticed: false,
    dueDate,
  })),
}

let together = 0
test('over drawn portfolios the nights take the steps that were simulated', async () => {
  await fc.assert(
    fc.asyncProperty(somePortfolio, async ({ country, wish, claims }) => {
      const { register } = await demands.open(country, { bundle_claims: wish })
      const cases: string[] = []
      for (const { noticed, ...claim } of claims)
        cases.push(await register({ ...claim, ...(noticed && notified) }))
      const { numbers, course } = await simulate(cases, nights)
      together += course.filter((one) => one.together > 1).length
      await demands.runNights(0, nights)
      const found = await readNights(cases)
      const moved = new Set(course.map((one) => one.caseNumber))
      const unmoved = found.left.filter((line) => !moved.has(line.split(' ')[0]!))
      assert.ok(unmoved.length === numbers.length - moved.size)
      assert.deepEqual(readCourse(course, unmoved), found)
      // The next portfolio stands alone, and begins on the first day.
      const held = contextOn(addDays(start, nights))
      for (const caseGuid of cases)
        await holdCase(api.sql, agencyCaller, { caseGuid, input: { reason: 'HOLD_DISPUTE' } }, held)
    }),
    { numRuns, examples: [[arrivingLater]] },
  )
  assert.ok(together > 0, 'some claims were demanded together')
})
