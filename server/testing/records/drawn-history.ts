/** Drawn histories of a case: payments, reversals, fees, changed terms and rates, with value dates set back. */
import * as fc from 'fast-check'
import { addDays } from '../../../core/calendar/calendar.ts'
import { registerCase } from '../../cases/register-case.ts'
import type { TestApi } from '../api.ts'
import { agencyCaller, contextOn, makeDebtor } from './cases.ts'
import * as scenarios from './scenarios.ts'
import type { Event, Stage } from './scenarios.ts'

export const registeredOn = '2026-01-01'
const { pay, reverse, fee, invoice, credit, writeOff, terms, close, reopen, hold, rate, interrupt } =
  scenarios

const back = fc.nat(60)
const amount = fc.integer({ min: 1, max: 400_000 }).map((minor) => minor / 100)
export const dated = (today: string, days: number) => {
  const valueDate = addDays(today, -days)
  return { valueDate: valueDate < registeredOn ? registeredOn : valueDate }
}
export const reverseLast: Event = async (stage) => {
  if (stage.named.has('payment')) await reverse()(stage)
}
const steady = (event: Event) => fc.constant(() => event)

/** What books money or a claim, with the value date set back. */
export const drawn = {
  payment: fc.tuple(amount, back).map(
    ([sum, days]) =>
      (today: string) =>
        pay(sum, dated(today, days)),
  ),
  thirdPartyPayment: amount.map((sum) => () => pay(sum, { toThirdParty: true })),
  fee: fc.tuple(amount, back).map(
    ([sum, days]) =>
      (today: string) =>
        fee(Math.ceil(sum / 100), dated(today, days)),
  ),
  invoice: amount.map((principal) => (today: string) => invoice({ principal, dueDate: today })),
  credit: fc.tuple(amount, back).map(
    ([sum, days]) =>
      (today: string) =>
        credit(sum, null, dated(today, days)),
  ),
  writeOff: amount.map((sum) => () => writeOff(sum)),
  close: fc.constantFrom('RECALLED_BY_CLIENT', 'UNTRACEABLE').map((code) => () => close(code)),
}

export const drawnEvent: fc.Arbitrary<(today: string) => Event> = fc.oneof(
  { weight: 5, arbitrary: drawn.payment },
  { weight: 4, arbitrary: steady(reverseLast) },
  { weight: 1, arbitrary: drawn.thirdPartyPayment },
  { weight: 1, arbitrary: drawn.fee },
  { weight: 1, arbitrary: drawn.invoice },
  { weight: 1, arbitrary: drawn.credit },
  { weight: 1, arbitrary: drawn.writeOff },
  { weight: 1, arbitrary: fc.constantFrom(0, 300).map((tolerance) => () => terms({ tolerance })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('PRINCIPAL_COST_INTEREST', 'COST_INTEREST_PRINCIPAL')
      .map((allocationOrder) => () => terms({ allocationOrder })),
  },
  {
    weight: 1,
    arbitrary: back.map((days) => (today: string) => terms({ interestRate: 12, ...dated(today, days) })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(back, fc.integer({ min: 1, max: 9 })).map(
      ([days, percent]) =>
        (today: string) =>
          rate('SE', dated(today, days).valueDate, percent),
    ),
  },
  { weight: 1, arbitrary: steady(hold('HOLD_DISPUTE')) },
  { weight: 1, arbitrary: steady(interrupt('ACKNOWLEDGEMENT')) },
  { weight: 1, arbitrary: drawn.close },
  { weight: 2, arbitrary: steady(reopen) },
)

let clients = 0

/** A case of a client of its own, so that reports on the client are about this history alone. */
export async function openDrawnCase(api: TestApi): Promise<Stage> {
  await api.setDate(registeredOn)
  const client = await api.addParty(`CLIENT${++clients}`)
  await api.sql`
    update party set currency_code = 'SEK', country_code = 'SE', tolerance = 3, interest_series = 'SE', interest_points = 8
    where id = ${client}`
  const debtorGuid = await makeDebtor(api)
  const context = contextOn(registeredOn)
  const input = {
    clientGuid: client,
    debtorGuid,
    principal: 5000,
    currencyCode: 'SEK',
    interestFromDate: '2025-11-01',
    fee: 60,
    reminderFeeAgreed: true,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, context)
  return { api, context, clientGuid: client, debtorGuid, caseGuid, named: new Map() }
}
