/** Draws an agency's clients, debtors and claims, and registers them over HTTP. */
import assert from 'node:assert/strict'
import { addDays } from '../../core/calendar/calendar.ts'
import { assignStrategy } from '../../server/collection/strategies/strategies.store.ts'
import type { TestApi } from '../../server/testing/api.ts'
import { setTerms } from '../../server/testing/records/cases.ts'
import type { Random } from '../simulate/random.ts'
import type { Country, Facts } from './facts.ts'
import { lastDay } from './statutes.ts'

export interface DrawnCase {
  caseGuid: string
  debtorGuid: string
  facts: Facts
  /** True while nothing but the strategy has touched it: then its interest is known. */
  isUntouched: boolean
}

export const countries: readonly Country[] = ['SE', 'NO', 'DK', 'FI', 'DE', 'IS']
const currencies: Record<Country, string> = {
  SE: 'SEK',
  NO: 'NOK',
  DK: 'DKK',
  FI: 'EUR',
  DE: 'EUR',
  IS: 'ISK',
}
/** Points above the reference rate. The Norwegian series has them already. */
const points = (country: Country, isBusiness: boolean): number => {
  if (country === 'FI' || country === 'IS') return isBusiness ? 8 : 7
  return country === 'NO' ? 0 : country === 'DE' ? (isBusiness ? 9 : 5) : 8
}

/** Around the bounds of the fee tables. */
const principals = [45, 50, 51, 100, 101, 400, 500, 501, 1000, 1001, 2500, 2501, 5000, 9999, 10_001, 24_000]
const icelandicPrincipals = [1500, 2999, 3000, 10_499, 10_500, 84_999, 85_000, 240_000]

/** What a greedy client would like to charge: more than any law allows. */
const greedyFees = {
  reminder: 250,
  collectionNotice: 300,
  collectionDemand: 900,
  collectionFee: 20_000,
  externalCollection: 9000,
  compensation: 900,
  planInvoice: 80,
}

/** The same in krónur. */
const icelandicGreed = {
  ...greedyFees,
  collectionNotice: 3000,
  collectionDemand: 9000,
  collectionCall: 2000,
  compensation: 9000,
}

export const send = async <T>(api: TestApi, method: string, path: string, body?: object): Promise<T> => {
  const answer = await api.call<T>(method, path, body && { body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.body
}

type Clients = Map<string, string>

/** Of each country: clients of consumers and of businesses, each without fees of its own and with greedy ones. */
export async function makeClients(api: TestApi): Promise<Clients> {
  const clients: Clients = new Map()
  for (const country of countries)
    for (const isBusiness of [false, true])
      for (const isGreedy of [false, true]) {
        const name = nameClient(country, isBusiness, isGreedy)
        const client = await api.addParty(name)
        await setTerms(api, client, {
          country_code: country,
          currency_code: currencies[country],
          interest_series: country,
          interest_points: points(country, isBusiness),
          ...(isGreedy && {
            fees: country === 'IS' ? icelandicGreed : greedyFees,
            plan_invoice_fee: 80,
            plan_registration_fee: 900,
            plan_reminder_fee: 200,
          }),
        })
        await assignStrategy(api.sql, client, 'NORDIC')
        clients.set(name, client)
      }
  return clients
}

const nameClient = (country: Country, isBusiness: boolean, isGreedy: boolean) =>
  `${country}-${isBusiness ? 'BUSINESS' : 'CONSUMER'}-${isGreedy ? 'GREEDY' : 'PLAIN'}`

export async function registerDrawn(
  api: TestApi,
  clients: Clients,
  { random, date, country }: { random: Random; date: string; country: Country },
): Promise<DrawnCase> {
  const isBusiness = random.chance(0.3)
  const isMinor = !isBusiness && random.chance(0.1)
  const isOld = random.chance(0.12)
  const dueDate = isOld
    ? addDays(date, -Math.round(365.25 * ((country === 'IS' ? 3.4 : 2.4) + random.next() * 1.4)))
    : addDays(date, 35 - random.below(95))
  const facts: Facts = {
    country,
    isBusiness,
    principal: random.pick(country === 'IS' ? icelandicPrincipals : principals),
    dueDate,
    isMinor,
    isReminderFeeAgreed: random.chance(0.5),
    barredAfter: lastDay({ country, isBusiness, dueDate }),
    deadSince: null,
    reliefSince: null,
    disputes: [],
    courtDays: [],
    planDays: [],
  }
  const { debtorGuid } = await send<{ debtorGuid: string }>(api, 'POST', '/debtors', {
    ...(isBusiness ? { fullName: 'Company', juridicalType: 1 } : { lastname: 'Debtor', juridicalType: 0 }),
    countryCode: country,
    ...(isMinor && { dateOfBirth: '2012-05-05T00:00:00Z' }),
  })
  const { caseGuid } = await send<{ caseGuid: string }>(api, 'POST', '/system/forms/case/register', {
    clientGuid: clients.get(nameClient(country, isBusiness, random.chance(0.5)))!,
    debtorGuid,
    principal: facts.principal,
    currencyCode: currencies[country],
    dueDate,
    interestFromDate: dueDate,
    service: random.chance(0.5) ? 'PRECOLLECTION' : 'COLLECTION',
    reminderFeeAgreed: facts.isReminderFeeAgreed,
  })
  return { caseGuid, debtorGuid, facts, isUntouched: true }
}
