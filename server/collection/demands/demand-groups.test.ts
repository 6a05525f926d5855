/** Claims of one creditor on one debtor that are demanded together, over HTTP and through the day-end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../../core/calendar/calendar.ts'
import { readReference } from '../../../core/identity/payment-reference.ts'
import { closeCase } from '../../cases/case-status.ts'
import { holdCase, resumeCase } from '../../cases/holds/hold-case.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { applyStrategies } from '../strategies/apply-strategies.ts'
import { assignStrategy } from '../strategies/strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let clients = 0
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

const currencies: Record<string, string> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' }

/** A client of a country with the default strategy, and a debtor. */
async function open(country: string, terms: object = {}, strategy = 'NORDIC') {
  await api.setDate(start)
  const client = await api.addParty(`GROUP${++clients}`)
  await setTerms(api, client, { country_code: country, ...terms })
  await assignStrategy(api.sql, client, strategy)
  const debtorGuid = await makeDebtor(api)
  const register = async (input: object = {}, date = start) => {
    await api.setDate(date)
    const whole = {
      clientGuid: client,
      debtorGuid,
      principal: 1000,
      currencyCode: currencies[country],
      dueDate: '2026-02-01',
      ...input,
    }
    return (await registerCase(api.sql, agencyCaller, whole, contextOn(date))).caseGuid
  }
  return { client, debtorGuid, register }
}

async function runNights(first: number, last: number) {
  for (let day = first; day <= last; day++) {
    const date = addDays(start, day)
    await api.setDate(date)
    await runChunks(api.sql, applyStrategies(), { ...contextOn(date).origin, operation: 'day-end' })
  }
}

/** The letters to a debtor by day, with the number of cases that each lists. */
const listLetters = async (debtorGuid: string) =>
  (
    await api.sql<{ letter: string }[]>`
      select (business_date - ${start}::date) || ' ' || kind || ' ' || jsonb_array_length(data -> 'cases') as letter
      from document where debtor_id = ${debtorGuid} order by business_date, id`
  ).map(({ letter }) => letter)
/** The fees of cases, in the order of the cases. */
const listFees = (caseGuids: readonly string[]) =>
  Promise.all(
    caseGuids.map(async (caseGuid) =>
      (
        await api.sql<{ fee: string }[]>`
          select (details ->> 'feeType') || ' ' || amount as fee from movement
          where case_id = ${caseGuid} and kind = 'fee' order by number`
      ).map(({ fee }) => fee),
    ),
  )
const findGroups = (debtorGuid: string) => api.sql<
  { id: string; reference: string; rule: string | null; cases: number }[]
>`
  select g.id, g.payment_reference_number as reference, g.rule,
    (select count(*)::int from demand_group_case k where k.group_id = g.id) as cases
  from demand_group g where g.debtor_id = ${debtorGuid} order by g.number`
const remaining = async (caseGuids: readonly string[]) =>
  Promise.all(
    caseGuids.map(async (caseGuid) => {
      const [row] = await api.sql<{ minor: number }[]>`
        select remaining_principal + remaining_interest + remaining_fee as minor from debt_case where id = ${caseGuid}`
      return row!.minor
    }),
  )
const status = async (caseGuid: string) => {
  const [row] = await api.sql`select sub_status, status_since from debt_case where id = ${caseGuid}`
  return `${row!['sub_status']} ${row!['status_since']}`
}

test('three claims get one letter, one fee and one reference, and no step comes twice', async () => {
  const { debtorGuid, register } = await open('NO')
  const notified = { noticeDeadline: '2026-02-25' }
  const cases = [
    await register({ ...notified, principal: 200 }),
    await register({ ...notified, principal: 300 }),
    await register({ ...notified, principal: 400 }),
  ]
  await runNights(0, 20)
  assert.deepEqual(await listLetters(debtorGuid), ['0 demand 3'])
  const [fee, ...others] = await listFees(cases)
  assert.equal(fee!.length, 1)
  assert.deepEqual(others, [[], []])
  const [group, ...more] = await findGroups(debtorGuid)
  assert.deepEqual([more, group!.rule, group!.cases], [[], 'NO-TOGETHER', 3])
  assert.deepEqual(
    await Promise.all(cases.map(status)),
    await Promise.all(cases.map(() => status(cases[0]!))),
  )
  const [letter] = await api.sql`select data from document where debtor_id = ${debtorGuid}`
  const data = letter!['data']
  assert.ok(data.payment.some(([, value]: [string, string]) => value === group!.reference))
  assert.ok(readReference('KID10', group!.reference).ok)
  assert.equal(data.cases.length, 3)
  assert.ok(
    data.after.includes(
      'Disse kravene kreves inn sammen: med ett brev, én betalingsreferanse og høyst ett salær.',
    ) || data.lang !== 'nb',
  )
  await runNights(21, 40)
  // The notice of enforcement goes once, too.
  assert.deepEqual((await listLetters(debtorGuid)).filter((one) => one.includes('legal')).length <= 1, true)
  await assertProven(api)
})
