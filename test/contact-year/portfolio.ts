/** The debtors and claims of the year, made as an agency would make them: over HTTP and by registration. */
import assert from 'node:assert/strict'
import { addCaseDebtor } from '../../server/cases/case-debtors.ts'
import { registerCase } from '../../server/cases/register-case.ts'
import { assignStrategy } from '../../server/collection/strategies/strategies.store.ts'
import type { TestApi } from '../../server/testing/api.ts'
import { agencyCaller, contextOn, setTerms } from '../../server/testing/records/cases.ts'
import type { Random } from '../simulate/random.ts'
import { countries, currencies, drawClaim, drawPerson, toBody, type Country, type Person } from './people.ts'

export interface Debtor {
  debtorGuid: string
  person: Person
  caseGuids: string[]
  guardian: Person | null
  /** When an e-mail, a text message or a call reached the debtor. Milliseconds, ascending. */
  reached: number[]
}

export interface Portfolio {
  api: TestApi
  random: Random
  clients: Record<Country, string>
  debtors: Map<string, Debtor>
  guids: string[]
}

const together = 12

/** Work on many, a few at once. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: together }, worker))
}

export async function makePortfolio(
  api: TestApi,
  random: Random,
  { count, start }: { count: number; start: string },
): Promise<Portfolio> {
  await api.setDate(start)
  const clients = await makeClients(api)
  const portfolio: Portfolio = { api, random, clients, debtors: new Map(), guids: [] }
  const people = Array.from({ length: count }, (_, number) => drawPerson(random, number, start))
  const drawn = people.map((person) => ({
    person,
    guardian: random.chance(0.7) ? adult(drawPerson(random, count + person.number, start)) : null,
    claims: Array.from({ length: random.chance(0.25) ? 2 : 1 }, () => drawClaim(random, start)),
  }))
  const guids = new Map<Person, string>()
  await forEach(people, async (person) => void guids.set(person, await addDebtor(api, person)))
  // One after the other, so that a seed gives every claim the same number.
  for (const { person, guardian, claims } of drawn) {
    const debtorGuid = guids.get(person)!
    const debtor: Debtor = { debtorGuid, person, caseGuids: [], guardian: null, reached: [] }
    portfolio.debtors.set(debtorGuid, debtor)
    portfolio.guids.push(debtorGuid)
    for (const claim of claims) await addClaim(portfolio, debtor, claim, start)
    if (isYoung(person, start) && guardian !== null) await addGuardian(api, debtor, guardian, start)
  }
  return portfolio
}

const isYoung = ({ underAged, born }: Person, day: string): boolean =>
  underAged || (born ?? '') > `${Number(day.slice(0, 4)) - 18}${day.slice(4)}`

const adult = (person: Person): Person => ({ ...person, born: '1970-02-03', underAged: false })

async function makeClients(api: TestApi): Promise<Record<Country, string>> {
  const clients = {} as Record<Country, string>
  for (const country of countries) {
    clients[country] = await api.addParty(`CLIENT-${country}`)
    await setTerms(api, clients[country], { country_code: country, letters_by_email: true })
    await assignStrategy(api.sql, clients[country], 'NORDIC')
  }
  return clients
}

async function addDebtor(api: TestApi, person: Person): Promise<string> {
  const { status, body, text } = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: toBody(person),
  })
  assert.equal(status, 201, text)
  return body.debtorGuid
}

/** A claim of the client in the debtor’s country. */
export async function addClaim(
  { api, clients }: Portfolio,
  debtor: Debtor,
  claim: ReturnType<typeof drawClaim>,
  date: string,
): Promise<void> {
  const { country } = debtor.person
  const input = {
    ...claim,
    clientGuid: clients[country],
    debtorGuid: debtor.debtorGuid,
    currencyCode: currencies[country],
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, input, contextOn(date))
  debtor.caseGuids.push(caseGuid)
}

export async function addGuardian(
  api: TestApi,
  debtor: Debtor,
  guardian: Person,
  date: string,
): Promise<void> {
  const debtorGuid = await addDebtor(api, guardian)
  const input = { debtorGuid, debtorRole: 'GUARDIAN' }
  await addCaseDebtor(api.sql, agencyCaller, { caseGuid: debtor.caseGuids[0]!, input }, contextOn(date))
  debtor.guardian = guardian
}
