/** A year of an agency, day by day through the shipped strategy. At the end each letter, fee and interest is judged. */
import { addDays } from '../../core/calendar/calendar.ts'
import type { CaseExplanation } from '../../contract/cases/case-explanation.ts'
import type { Document } from '../../contract/collection/documents.ts'
import { dayEndSteps } from '../../server/app.ts'
import { nightJob } from '../../server/insight/sandbox/forward/forward-nights.ts'
import { dayEndCommand } from '../../server/integration/commands/day-end.ts'
import { startApi, type TestApi } from '../../server/testing/api.ts'
import { createRandom, type Random } from '../simulate/random.ts'
import { countries, makeClients, registerDrawn, send, type DrawnCase } from './agency.ts'
import { actOn, type Moment } from './handler.ts'
import type { Fee, Letter } from './facts.ts'
import { interestFor, judgeCase, ratesFrom } from './statutes.ts'

export interface LawYearOptions {
  /** Cases of each country. */
  cases: number
  days: number
  seed: number
  onDay?(day: number): void
}

export interface LawYear {
  letters: number
  fees: number
  /** Cases whose interest was compared to the minor unit. */
  interests: number
  acts: Moment['acts']
  faults: { country: string; caseGuid: string; rule: string; facts: DrawnCase['facts'] }[]
  close(): Promise<void>
}

/** The half-years whose rates statutes.ts knows: until 30 June 2026. */
export const firstDay = '2025-07-01'

export async function runLawYear({ cases, days, seed, onDay }: LawYearOptions): Promise<LawYear> {
  const api = await startApi({ FORDRA_SERVICES: '' })
  const random = createRandom(seed)
  await api.setDate(firstDay)
  const clients = await makeClients(api)
  const drawn: DrawnCase[] = []
  for (const country of countries)
    for (let at = 0; at < cases; at++)
      drawn.push(await registerDrawn(api, clients, { random, date: firstDay, country }))
  const acts: Moment['acts'] = {}
  let date = firstDay
  for (let day = 0; day < days; day++) {
    date = addDays(firstDay, day)
    await api.setDate(date)
    await runNight(api, date)
    await actOnSome(drawn, { api, random, date, acts })
    onDay?.(day)
  }
  const year: LawYear = { letters: 0, fees: 0, interests: 0, acts, faults: [], close: () => api.close() }
  for (const one of drawn) await judgeDrawn(api, one, { year, date })
  return year
}

async function runNight(api: TestApi, date: string): Promise<void> {
  const command = dayEndCommand(api.app.service.clock, dayEndSteps())
  await command.run(nightJob(api.sql, api.databaseUrl, date), [date])
}

/** A handler is at one case in forty a day. Half of the cases are left to the strategy. */
async function actOnSome(drawn: readonly DrawnCase[], moment: Moment): Promise<void> {
  const random: Random = moment.random
  const handled = drawn.filter((_, index) => index % 2 === 1)
  for (let at = 0; at < Math.ceil(handled.length / 40); at++) await actOn(random.pick(handled), moment)
}

async function judgeDrawn(
  api: TestApi,
  one: DrawnCase,
  { year, date }: { year: LawYear; date: string },
): Promise<void> {
  const { caseGuid, debtorGuid, facts } = one
  const { value } = await send<{ value: Document[] }>(api, 'GET', `/debtors/${debtorGuid}/documents?$top=100`)
  const letters: Letter[] = value
    .map(({ kind, businessDate, dueDate }) => ({
      kind,
      date: businessDate!.slice(0, 10),
      due: dueDate?.slice(0, 10) ?? null,
    }))
    .toSorted((a, b) => a.date.localeCompare(b.date))
  const explained = await send<CaseExplanation>(
    api,
    'GET',
    `/debtors/${debtorGuid}/cases/${caseGuid}/explain`,
  )
  const fees = readFees(explained)
  year.letters += letters.length
  year.fees += fees.length
  const rules = judgeCase(facts, letters, fees)
  if (one.isUntouched && facts.dueDate < date && facts.dueDate >= ratesFrom) {
    year.interests++
    const charged = readInterest(explained)
    const lawful = interestFor(facts, facts.dueDate, date)
    // A króna has no smaller unit.
    if (Math.abs(charged - lawful) > (facts.country === 'IS' ? 0.51 : 0.02))
      rules.push(`interest of ${charged}, not ${lawful.toFixed(2)}`)
  }
  year.faults.push(...rules.map((rule) => ({ country: facts.country, caseGuid, rule, facts })))
}

/** Fees that were charged and not reversed, in the order of their days. */
const readFees = ({ figures }: CaseExplanation): Fee[] =>
  figures
    .filter(({ figure }) => figure === 'accruedFee')
    .flatMap(({ lines }) => lines)
    .map(({ feeType = 'unknown', amount, date }) => ({ type: feeType, amount, date: date.slice(0, 10) }))
    .toSorted((a, b) => a.date.localeCompare(b.date))

const readInterest = ({ figures }: CaseExplanation): number =>
  figures.find(({ figure }) => figure === 'accruedInterest')?.amount ?? 0
