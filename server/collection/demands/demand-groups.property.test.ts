/**
 * Random portfolios over forty nights, with claims that come later, holds, closures, payments by the references
 * of groups, and persons who take cases out. The limits are read from the rows, without the engine.
 * `FORDRA_DEMAND_RUNS=200 node bin/test.mjs server/collection/demands` runs more of them.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { addDays } from '../../../core/calendar/calendar.ts'
import { closeCase } from '../../cases/case-status.ts'
import { changeDemand } from '../../cases/demands/change-demand.ts'
import { holdCase, resumeCase } from '../../cases/holds/hold-case.ts'
import { registerCase } from '../../cases/register-case.ts'
import { registerPayment } from '../../payments/payments.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { applyStrategies } from '../strategies/apply-strategies.ts'
import { assignStrategy } from '../strategies/strategies.store.ts'

const numRuns = Number(process.env['FORDRA_DEMAND_RUNS'] ?? 6)
const start = '2026-03-02'
const nights = 40
const currencies: Record<string, string> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' }

let api: TestApi
let clients = 0
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

const someDay = fc.integer({ min: 0, max: nights - 5 })
const somePortfolio = fc.record({
  country: fc.constantFrom('SE', 'NO', 'DK', 'FI', 'DE'),
  wish: fc.constantFrom(null, true, false),
  service: fc.constantFrom('PRECOLLECTION', 'COLLECTION'),
  claims: fc.array(
    fc.record({
      debtor: fc.integer({ min: 0, max: 1 }),
      day: fc.oneof(fc.constant(0), someDay),
      principal: fc.constantFrom(80, 450, 600.01, 999.99, 12_000),
      noticed: fc.boolean(),
    }),
    { minLength: 3, maxLength: 7 },
  ),
  events: fc.array(
    fc.record({
      day: someDay,
      claim: fc.nat(),
      what: fc.constantFrom('hold', 'resume', 'close', 'out', 'in', 'pay', 'pay'),
      cents: fc.integer({ min: 1, max: 150_000 }),
    }),
    { maxLength: 8 },
  ),
})
type Portfolio = typeof somePortfolio extends fc.Arbitrary<infer T> ? T : never

test('no group is charged a kind of fee twice by a demand, no claim is demanded twice, and payments are divided whole', async () => {
  await fc.assert(fc.asyncProperty(somePortfolio, checkPortfolio), { numRuns })
  await assertProven(api)
})

async function checkPortfolio({ country, wish, service, claims, events }: Portfolio): Promise<void> {
  await api.setDate(start)
  const client = await api.addParty(`RANDOM${++clients}`)
  await setTerms(api, client, { country_code: country, bundle_claims: wish })
  await assignStrategy(api.sql, client, 'NORDIC')
  const debtors = [await makeDebtor(api), await makeDebtor(api)]
  const made: string[] = []
  for (let day = 0; day < nights; day++) {
    const date = addDays(start, day)
    await api.setDate(date)
    for (const claim of claims.filter((one) => one.day === day)) {
      const input = {
        clientGuid: client,
        debtorGuid: debtors[claim.debtor]!,
        principal: claim.principal,
        currencyCode: currencies[country]!,
        service,
        dueDate: '2026-01-15',
        ...(claim.noticed && { noticeDeadline: '2026-02-25' }),
      }
      made.push((await registerCase(api.sql, agencyCaller, input, contextOn(date))).caseGuid)
    }
    for (const event of events.filter((one) => one.day === day))
      if (made.length > 0) await happen(event, made[event.claim % made.length]!, date)
    await runChunks(api.sql, applyStrategies(3), { ...contextOn(date).origin, operation: 'day-end' })
  }
  await checkDemands(client)
}

/** What does not fit the case, such as the second closing of it, is refused, and changes nothing. */
async function happen(
  { what, cents }: { what: string; cents: number },
  caseGuid: string,
  date: string,
): Promise<void> {
  const context = contextOn(date)
  const demandReason = 'Decided'
  if (what === 'pay') return payGroup(caseGuid, cents, date)
  const works: Record<string, () => Promise<unknown>> = {
    hold: () => holdCase(api.sql, agencyCaller, { caseGuid, input: { reason: 'HOLD_DISPUTE' } }, context),
    resume: () => resumeCase(api.sql, agencyCaller, { caseGuid }, context),
    close: () =>
      closeCase(api.sql, agencyCaller, { caseGuid, input: { closureCode: 'RECALLED_BY_CLIENT' } }, context),
    out: () =>
      changeDemand(
        api.sql,
        agencyCaller,
        { caseGuid, input: { demandedAlone: true, demandReason } },
        context,
      ),
    in: () =>
      changeDemand(
        api.sql,
        agencyCaller,
        { caseGuid, input: { demandedAlone: false, demandReason } },
        context,
      ),
  }
  try {
    await works[what]!()
  } catch (error) {
    assert.equal((error as { kind?: string }).kind, 'conflict', String(error))
  }
}

async function payGroup(caseGuid: string, cents: number, date: string): Promise<void> {
  const [group] = await api.sql<{ reference: string }[]>`
    select g.payment_reference_number as reference from demand_group g join demand_group_case k on k.group_id = g.id
    where k.case_id = ${caseGuid} order by k.left_date desc nulls first limit 1`
  if (!group) return
  const input = { paymentReferenceNumber: group.reference, amount: cents / 100, valueDate: date }
  const { paymentGuid, parts } = await registerPayment(api.sql, agencyCaller, input, contextOn(date))
  const [booked] = await api.sql<{ minor: number }[]>`
    select sum(amount)::int as minor from movement where payment_id = ${paymentGuid}`
  assert.equal(booked!.minor, cents)
  const told = parts.reduce(
    (sum, { principal, interest, fee, credit }) =>
      sum + Math.round((principal + interest + fee + credit) * 100),
    0,
  )
  assert.equal(told, cents)
}

async function checkDemands(client: string): Promise<void> {
  const twice = await api.sql`
    with listed as (
      select l.case_id, o.id, o.kind from demand_letter_case l join document o on o.id = l.document_id
      union select o.case_id, o.id, o.kind from document o where o.case_id is not null
    )
    select l.case_id, l.kind from listed l join debt_case c on c.id = l.case_id
    where c.client_id = ${client} group by l.case_id, l.kind having count(*) > 1`
  assert.deepEqual([...twice], [])
  const charged = await api.sql`
    select l.document_id, m.details ->> 'feeType' as type
    from demand_letter_case l join document o on o.id = l.document_id join debt_case c on c.id = l.case_id
      join movement m on m.case_id = l.case_id and m.kind = 'fee' and m.value_date = o.business_date
    where c.client_id = ${client} group by 1, 2 having count(*) > 1`
  assert.deepEqual([...charged], [])
  // In a group that was demanded by law, a kind of fee is charged once for all of its cases.
  const groups = await api.sql`
    select g.id, m.details ->> 'feeType' as type
    from demand_group g join demand_group_case k on k.group_id = g.id join movement m on m.case_id = k.case_id
    where g.client_id = ${client} and m.details ->> 'demandGroup' = g.id::text
    group by 1, 2 having count(*) > 1`
  assert.deepEqual([...groups], [])
  // Nothing stands alone that belongs together: no two letters of a kind on one day for cases that nobody took out.
  const apart = await api.sql`
    select o.debtor_id, o.kind, o.business_date
    from document o join debt_case c on c.id = o.case_id
    where c.client_id = ${client} and not c.demanded_alone and c.governing_country = 'NO'
      and not exists (select from audit_entry a where a.subject = c.id and a.type in ('case.demand_changed', 'case.held'))
    group by 1, 2, 3, c.service having count(*) > 1
      and count(distinct coalesce((select k.group_id from demand_group_case k where k.case_id = c.id), '00000000-0000-0000-0000-000000000000')) = 1`
  assert.deepEqual([...apart], [])
}
