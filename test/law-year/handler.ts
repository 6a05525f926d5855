/** A careless handler: tries over HTTP what comes to mind, lawful or not. What the service refuses is not done. */
import { addDays } from '../../core/calendar/calendar.ts'
import type { TestApi } from '../../server/testing/api.ts'
import type { Random } from '../simulate/random.ts'
import type { DrawnCase } from './agency.ts'

export interface Moment {
  api: TestApi
  random: Random
  date: string
  /** How often each kind of act was tried and done. */
  acts: Record<string, { tried: number; done: number }>
}

const feeTypes = [
  'reminder',
  'collectionNotice',
  'collectionDemand',
  'collectionFee',
  'externalCollection',
  'compensation',
  'ownCollectionDemand',
  'paymentPlan',
  'planInvoice',
  'dueDateMove',
  'draft',
  'collectionCall',
]
const usualAmounts = [0.5, 2.5, 5, 12, 24, 35, 38, 60, 100, 180, 310, 400, 900]
const icelandicAmounts = [550, 551, 950, 951, 1300, 2100, 2700, 3700, 5900, 6700, 7000]
const letterKinds = ['reminder', 'notice', 'demand', 'legal', 'surveillance']

export async function actOn(one: DrawnCase, moment: Moment): Promise<void> {
  const { random } = moment
  const chance = random.next()
  if (chance < 0.35) return addFee(one, moment)
  if (chance < 0.65) return writeLetter(one, moment)
  if (chance < 0.75) return makePlan(one, moment)
  if (chance < 0.83) return dispute(one, moment)
  if (chance < 0.89) return settleDispute(one, moment)
  if (chance < 0.92) return hear(one, moment)
  if (chance < 0.96) return pay(one, moment)
  if (await attempt(one, moment, 'goes to court', 'PATCH', 'case/status', { status: 'LEGAL' }))
    one.facts.courtDays.push(moment.date)
}

/** Returns whether the service did it. */
async function attempt(
  one: DrawnCase,
  { api, acts }: Moment,
  name: string,
  method: string,
  path: string,
  body: object,
): Promise<boolean> {
  const whole = path.startsWith('/') ? path : `/system/forms/${path}?id=${one.caseGuid}`
  const { status, text } = await api.call(method, whole, { body })
  if (status >= 500) throw new Error(`${path}: ${text}`)
  const counted = (acts[name] ??= { tried: 0, done: 0 })
  counted.tried++
  if (status >= 300) return false
  counted.done++
  one.isUntouched = false
  return true
}

async function addFee(one: DrawnCase, moment: Moment): Promise<void> {
  const { random, date } = moment
  await attempt(one, moment, 'adds a fee', 'POST', 'fee/add', {
    feeType: random.pick(feeTypes),
    ...(random.chance(0.7) && {
      amount: random.pick(one.facts.country === 'IS' ? icelandicAmounts : usualAmounts),
    }),
    ...(random.chance(0.3) && { valueDate: `${addDays(date, -random.below(40))}T00:00:00Z` }),
  })
}

async function writeLetter(one: DrawnCase, moment: Moment): Promise<void> {
  const { random, date } = moment
  await attempt(one, moment, 'writes a letter', 'POST', `/debtors/${one.debtorGuid}/letters`, {
    caseGuid: one.caseGuid,
    kind: random.pick(letterKinds),
    channel: 'letter',
    dueDate: `${addDays(date, random.below(24))}T00:00:00Z`,
  })
}

async function makePlan(one: DrawnCase, moment: Moment): Promise<void> {
  const { random } = moment
  const fee = (...amounts: number[]) => (random.chance(0.5) ? { amount: random.pick(amounts) } : null)
  const [registration, invoice, reminder] = [fee(0, 20, 170, 400), fee(0, 3, 60, 61), fee(0, 5, 60, 100)]
  const made = await attempt(one, moment, 'makes a plan', 'POST', `/debtors/${one.debtorGuid}/paymentplans`, {
    paymentPlanType: 1,
    numberOfPayments: 2 + random.below(8),
    active: 1,
    ...(registration && { registrationFee: registration.amount }),
    ...(invoice && { invoiceFee: invoice.amount }),
    ...(reminder && { reminderFee: reminder.amount }),
  })
  if (made) one.facts.planDays.push(moment.date)
}

async function dispute(one: DrawnCase, moment: Moment): Promise<void> {
  const { date } = moment
  if (await attempt(one, moment, 'notes a dispute', 'PATCH', 'case/hold', { reason: 'HOLD_DISPUTE' }))
    if (one.facts.disputes.at(-1)?.to !== null) one.facts.disputes.push({ from: date, to: null })
}

async function settleDispute(one: DrawnCase, moment: Moment): Promise<void> {
  const open = one.facts.disputes.at(-1)
  if (open?.to !== null) return
  if (await attempt(one, moment, 'ends a dispute', 'PATCH', 'case/resume', {})) open.to = moment.date
}

/** Of a death, or of debt relief. It stays. A hold that was there before ends. */
async function hear(one: DrawnCase, moment: Moment): Promise<void> {
  const { random, date } = moment
  if (one.facts.isBusiness) return
  const isDeath = random.chance(0.5)
  const reason = isDeath ? 'HOLD_DECEASED' : 'HOLD_DEBT_RELIEF'
  if (!(await attempt(one, moment, 'hears of a death or debt relief', 'PATCH', 'case/hold', { reason })))
    return
  const open = one.facts.disputes.at(-1)
  if (open?.to === null) open.to = date
  if (isDeath) one.facts.deadSince ??= date
  else one.facts.reliefSince ??= date
}

async function pay(one: DrawnCase, moment: Moment): Promise<void> {
  const amount = Math.round(one.facts.principal * moment.random.next() * 50) / 100 + 1
  await attempt(one, moment, 'books a payment', 'POST', '/system/forms/payment/register', {
    caseGuid: one.caseGuid,
    amount,
  })
}
