/** A trial of strategies that has run for some weeks, so that the demo shows intervals. */
import { addDays } from '../../core/calendar/calendar.ts'
import { shippedStrategies } from '../../core/cases/strategies.ts'
import { insertCases } from '../../server/cases/insert-cases.ts'
import { findClientTerms, type ClientTerms } from '../../server/claims/client-terms.ts'
import { createStrategy } from '../../server/collection/strategies/strategies.changes.ts'
import { createTrial, startTrial } from '../../server/collection/trials/trials.changes.ts'
import { insertHistories } from '../../server/payments/insert-histories.ts'
import type { BusinessClock } from '../../server/platform/clock/business-clock.ts'
import { inTransaction, type Db } from '../../server/platform/database/transaction.ts'
import type { Origin } from '../../server/platform/http/caller.ts'
import type { DemoCase } from './cases.ts'
import { demoCaller, prepareDemoCase } from './insert-cases.ts'
import { hashKey, startRandom } from './random.ts'

const weeks = 12
/** Days after the demand that the challenger waits before its next step. The champion waits 18. */
const patientDays = 32
/** A quarter of the trial's claims is above the highest amount. */
const terms = { outcomeDays: 28, highestAmount: 5000, currencyCode: 'SEK', plannedCases: 1000 }
/** Of the cases of an arm, the part that is paid in full and the part of which half is paid. */
const paying = [
  { inFull: 0.3, inPart: 0.2 },
  { inFull: 0.65, inPart: 0.15 },
]
const demanded = { status: 'AMICABLE', subStatus: 'DEMAND_SENT' } as const

/**
 * Registers a case for each debtor over the last weeks, as new cases of a client that has the strategy NORDIC. Moves the
 * business date meanwhile. Returns the trial's guid; undefined without the demo's clients.
 */
export async function insertDemoTrial(
  db: Db,
  clock: BusinessClock,
  debtorGuids: readonly string[],
  origin: Origin,
): Promise<string | undefined> {
  const [party] = await db<{ id: string }[]>`select id from party where reference_code = 'NORDKRAFT'`
  const client = party && (await findClientTerms(db, party.id))
  if (!client) return undefined
  const [set] = await db<{ date: string | null }[]>`select system_date as date from business_clock`
  try {
    return await runWeeks(db, clock, { client, debtorGuids, origin })
  } finally {
    await clock.setDate(set!.date)
  }
}

async function runWeeks(
  db: Db,
  clock: BusinessClock,
  { client, debtorGuids, origin }: { client: ClientTerms; debtorGuids: readonly string[]; origin: Origin },
): Promise<string> {
  const each = Math.ceil(debtorGuids.length / weeks)
  const coming: Payment[] = []
  let trialGuid = ''
  for (let week = 0; week < weeks; week++) {
    const businessDate = addDays(origin.businessDate, 7 * (week - weeks))
    await clock.setDate(businessDate)
    const dated = { ...origin, businessDate }
    if (week === 0) trialGuid = await beginTrial(db, client.clientGuid, dated)
    const first = week * each
    const debtors = debtorGuids.slice(first, first + each)
    const cases = await registerCases(db, client, { debtors, first }, dated)
    coming.push(...(await planPayments(db, cases, week)))
    const due = coming.filter((payment) => payment.week === week)
    await bookPayments(db, due, dated)
  }
  return trialGuid
}

/** The challenger takes the steps of the shipped strategy, and gives more time to pay. */
async function beginTrial(db: Db, clientGuid: string, origin: Origin): Promise<string> {
  const shipped = shippedStrategies.find(({ code }) => code === 'NORDIC')!
  const steps = shipped.steps.map((step) => ({
    ...step,
    ...(step.code === 'DEMAND-EXPIRED' && { afterDays: patientDays }),
  }))
  const patient = { code: 'PATIENT', name: 'Nordic, more time to pay', source: shipped.source, steps }
  await createStrategy(db, patient, { origin, services: [] })
  const trial = {
    ...terms,
    name: 'More time to pay',
    clientGuid,
    champion: shipped.code,
    challengers: [{ strategy: patient.code, share: 50 }],
  }
  const trialGuid = await createTrial(db, demoCaller, { input: trial, origin })
  await startTrial(db, trialGuid, origin)
  return trialGuid
}

/** Cases for which the debt was demanded on the day of their registration. */
async function registerCases(
  db: Db,
  client: ClientTerms,
  { debtors, first }: { debtors: readonly string[]; first: number },
  origin: Origin,
): Promise<string[]> {
  const prepared = debtors.map((debtorGuid, index) =>
    prepareDemoCase(makeTrialCase(first + index, origin.businessDate), client, debtorGuid),
  )
  return inTransaction(db, async (tx) => {
    const cases = (await insertCases(tx, prepared, { origin })).map(({ caseGuid }) => caseGuid)
    const stories = cases.map((caseGuid) => ({ caseGuid, movements: [], place: demanded }))
    await insertHistories(tx, demoCaller, stories, { origin })
    return cases
  })
}

function makeTrialCase(number: number, registrationDate: string): DemoCase {
  const random = startRandom(hashKey(31, number))
  const dueDate = addDays(registrationDate, -25 - random.below(20))
  return {
    clientCode: 'NORDKRAFT',
    currencyCode: terms.currencyCode,
    registrationDate,
    invoiceNumber: `T${String(100_000 + number)}`,
    invoiceDate: addDays(dueDate, -30),
    dueDate,
    clientReferenceNumber: `K${String(90_000 + number)}`,
    principal: BigInt(100 * (300 + random.below(90) * random.below(90))),
    fee: 6000n,
    description: 'Electricity',
    ...demanded,
    movements: [],
  }
}

interface Payment {
  caseGuid: string
  /** The week in which it comes. */
  week: number
  isWhole: boolean
}

/** Who pays depends on the arm. One in ten payments comes too late to count. */
async function planPayments(db: Db, caseGuids: readonly string[], week: number): Promise<Payment[]> {
  const arms = await db<{ caseGuid: string; arm: number }[]>`
    select case_id as "caseGuid", arm from trial_debtor where case_id = any(${[...caseGuids]}::uuid[]) order by case_id`
  const random = startRandom(hashKey(32, week))
  return arms.flatMap(({ caseGuid, arm }) => {
    const drawn = random.fraction()
    const { inFull, inPart } = paying[arm]!
    const after = random.chance(0.1) ? 5 : 1 + random.below(4)
    return drawn < inFull + inPart ? [{ caseGuid, week: week + after, isWhole: drawn < inFull }] : []
  })
}

async function bookPayments(db: Db, payments: readonly Payment[], origin: Origin): Promise<void> {
  const guids = payments.map(({ caseGuid }) => caseGuid)
  const owed = await db<{ caseGuid: string; amount: number }[]>`
    select id as "caseGuid", remaining_principal + remaining_interest + accrued_interest + remaining_fee as amount
    from debt_case where id = any(${guids}::uuid[])`
  const amounts = new Map(owed.map(({ caseGuid, amount }) => [caseGuid, BigInt(amount)]))
  const stories = payments.map(({ caseGuid, isWhole }) => {
    const amount = amounts.get(caseGuid)! / (isWhole ? 1n : 2n)
    const movement = { kind: 'payment' as const, amount, valueDate: origin.businessDate }
    return { caseGuid, movements: [movement], place: demanded }
  })
  await inTransaction(db, (tx) => insertHistories(tx, demoCaller, stories, { origin }))
}
