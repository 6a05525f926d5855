/** What the default strategy and the fee form may not do, over HTTP and through the day-end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CasePermissions } from '../../../contract/cases/permissions.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { addCaseDebtor } from '../../cases/case-debtors.ts'
import { holdCase } from '../../cases/holds/hold-case.ts'
import { registerCase } from '../../cases/register-case.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { applyStrategies } from './apply-strategies.ts'
import { assignStrategy } from './strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let clients = 0
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '' })
})
after(() => api.close())

const currencies: Record<string, string> = { SE: 'SEK', NO: 'NOK', DK: 'DKK', FI: 'EUR', DE: 'EUR' }

/** A case of a client in a country, due in February unless told otherwise. */
async function open(country: string, input: object = {}, debtor: object = {}) {
  await api.setDate(start)
  const client = await api.addParty(`CLIENT${++clients}`)
  await setTerms(api, client, { country_code: country })
  await assignStrategy(api.sql, client, 'NORDIC')
  const debtorGuid = await makeDebtor(api, debtor)
  const whole = {
    clientGuid: client,
    debtorGuid,
    principal: 1000,
    currencyCode: currencies[country],
    dueDate: '2026-02-01',
    ...input,
  }
  const { caseGuid } = await registerCase(api.sql, agencyCaller, whole, contextOn(start))
  return { client, debtorGuid, caseGuid }
}

async function runNights(first: number, last: number) {
  let refusals: { step: string; reason: string }[] = []
  for (let day = first; day <= last; day++) {
    const date = addDays(start, day)
    await api.setDate(date)
    const origin = { ...contextOn(date).origin, operation: 'day-end' }
    refusals = (await runChunks(api.sql, applyStrategies(), origin)).refusals
  }
  return refusals
}

/** The letters and fees of a case by day. */
async function readCourse(caseGuid: string) {
  const rows = await api.sql<{ what: string }[]>`
    select what from (
      select o.business_date - ${start}::date as day, 2 as position, o.kind as what from document o where o.case_id = ${caseGuid}
      union all
      select m.value_date - ${start}::date, 1, (m.details ->> 'feeType') || ' ' || m.amount from movement m
      where m.case_id = ${caseGuid} and m.kind = 'fee'
    ) x (day, position, what), lateral (select day || ' ' || x.what) y (told) order by x.day, x.position`
  return rows.map(({ what }) => what)
}
const readReason = async (caseGuid: string) => {
  const rows = await api.sql<{ refused: string }[]>`
    select k.refused from strategy_step_taken k where k.case_id = ${caseGuid} and k.refused is not null`
  return rows.map(({ refused }) => refused)
}

test('the default strategy demands nothing that is not due, and nothing of a minor or on a barred or disputed claim', async () => {
  const cases: [string, Awaited<ReturnType<typeof open>>, RegExp][] = [
    ['not due', await open('SE', { dueDate: '2026-12-01' }), /Allowed from 2 Dec 2026.*SE-DUE/],
    ['minor', await open('SE', {}, { dateOfBirth: '2012-05-05' }), /under 18.*SE-MINOR/],
    ['barred', await open('SE', { dueDate: '2020-01-01' }), /time-barred.*SE-BARRED/],
    ['barred in Norway', await open('NO', { dueDate: '2022-01-01' }), /time-barred.*NO-BARRED/],
  ]
  const disputed = await open('DK')
  await holdCase(
    api.sql,
    agencyCaller,
    { caseGuid: disputed.caseGuid, input: { reason: 'HOLD_DISPUTE' } },
    contextOn(start),
  )
  // The estate is told of on one case of the debtor; the other case of the same debtor stands still too.
  const dead = await open('FI')
  const other = await open('FI', { debtorGuid: dead.debtorGuid })
  await holdCase(
    api.sql,
    agencyCaller,
    { caseGuid: dead.caseGuid, input: { reason: 'HOLD_DECEASED' } },
    contextOn(start),
  )
  cases.push(['dead', other, /dead.*FI-DECEASED/])
  await runNights(0, 0)
  for (const [name, { caseGuid }, reason] of cases) {
    assert.deepEqual(await readCourse(caseGuid), [], name)
    const reasons = await readReason(caseGuid)
    assert.ok(
      reasons.length > 0 && reasons.every((one) => reason.test(one)),
      `${name}: ${reasons.join(' | ')}`,
    )
  }
  assert.deepEqual(await readCourse(disputed.caseGuid), [])
  await assertProven(api)
})

test('no step writes to a minor, charges a minor or calls a service for one, with or without a guardian, pack or not', async () => {
  const minor = { dateOfBirth: '2012-05-05' }
  const userGuid = await api.addUser({
    email: 'caller@agency.example',
    password: 'a long enough password',
    userRole: 3,
  })
  const custom = (code: string, action: object) =>
    api.call('POST', '/strategies', {
      body: { code, name: code, steps: [{ code: 'ONLY', status: 'NEW', afterDays: 0, actions: [action] }] },
    })
  const strategies: [string, object][] = [
    ['CALLING', { kind: 'service', service: 'address-check', userGuid }],
    ['CHARGING', { kind: 'fee', feeType: 'collectionDemand' }],
    ['COSTS', { kind: 'fee', feeType: 'courtCost' }],
    ['WRITING', { kind: 'letter', letter: 'surveillance' }],
  ]
  for (const [code, action] of strategies) {
    const { status, text } = await custom(code, action)
    assert.equal(status, 201, text)
  }
  const cases: { name: string; caseGuid: string; debtorGuid: string; guarded: boolean }[] = []
  for (const strategy of ['NORDIC', ...strategies.map(([code]) => code)])
    for (const country of ['SE', 'NO', strategy === 'NORDIC' ? 'FI' : 'FR'])
      for (const guarded of [false, true]) {
        const one = await open(country, { currencyCode: currencies[country] ?? 'EUR' }, minor)
        await assignStrategy(api.sql, one.client, strategy)
        await setTerms(api, one.client, { fees: { courtCost: 50, collectionDemand: 20 } })
        const input = { debtorGuid: await makeDebtor(api), debtorRole: 'GUARDIAN' }
        if (guarded)
          await addCaseDebtor(api.sql, agencyCaller, { caseGuid: one.caseGuid, input }, contextOn(start))
        cases.push({ name: `${strategy} ${country} ${guarded}`, ...one, guarded })
      }
  await runNights(0, 1)
  for (const { name, caseGuid, debtorGuid, guarded } of cases) {
    assert.deepEqual(await readCourse(caseGuid), [], name)
    const sent = await api.sql`
      select 1 from message where debtor_id = ${debtorGuid}
      union all select 1 from job_run where payload -> 'item' ->> 'guid' = ${debtorGuid}`
    assert.equal(sent.length, 0, name)
    const reasons = await readReason(caseGuid)
    const expected = guarded ? /guardian.*by hand/ : /under 18/
    assert.ok(
      reasons.length > 0 && reasons.every((one) => expected.test(one)),
      `${name}: ${reasons.join(' | ')}`,
    )
  }
  await assertProven(api)
})

test('each country’s course: the waiting times, notices and fees of its law', async () => {
  const swedish = await open('SE', { service: 'PRECOLLECTION' })
  const agreed = await open('SE', { service: 'PRECOLLECTION', reminderFeeAgreed: true })
  const norwegian = await open('NO', { dueDate: '2026-03-01' })
  const notified = await open('NO', { noticeDeadline: '2026-03-04' })
  const danish = await open('DK', { service: 'PRECOLLECTION' })
  const finnish = await open('FI', { service: 'PRECOLLECTION', principal: 90, dueDate: '2026-03-01' })
  await runNights(0, 45)
  const courses = await Promise.all(
    [swedish, agreed, norwegian, notified, danish, finnish].map(({ caseGuid }) => readCourse(caseGuid)),
  )
  assert.deepEqual(courses, [
    // 1981:739 2 §: a reminder fee only where it was agreed.
    ['reminder', 'collectionDemand 18000', 'demand', 'legal'],
    ['reminder 6000', 'reminder', 'collectionDemand 18000', 'demand', 'legal'],
    // Inkassoforskriften § 1-2, inkassoloven §§ 9, 10, 17.
    ['collectionNotice 3800', 'notice', 'collectionFee 26250', 'demand'],
    ['collectionFee 26250', 'demand', 'legal'],
    ['reminder 10000', 'reminder', 'collectionDemand 10000', 'demand', 'legal'],
    // 513/1999: 5 and 14 euros on a claim of 90.
    ['reminder 500', 'reminder', 'collectionDemand 1400', 'demand'],
  ])
  const [event] = await api.sql`
    select data from event where subject = ${swedish.caseGuid} and type = 'case.step_taken' order by sequence limit 1`
  assert.deepEqual(
    event!['data'].law.map(({ action, rule }: { action: string; rule: string }) => [action, rule]),
    [['fee:reminder', 'SE-REMINDER-AGREED']],
  )
  const days = await api.sql<{ kind: string; day: number }[]>`
    select kind, business_date - ${start}::date as day from document where case_id = ${norwegian.caseGuid} order by id`
  // Due on 1 March, so the notice with its fee on the 15th; its fourteen days end on the 29th.
  assert.deepEqual(
    days.map(({ kind, day }) => `${day} ${kind}`),
    ['13 notice', '31 demand'],
  )
  await assertProven(api)
})

type Answer = {
  errors?: Record<string, string[]>
  rule?: string
  highest?: string
  allowedFrom?: string
  detail?: string
}
const addFee = (caseGuid: string, body: object, token = api.token) =>
  api.call<Answer>('POST', `/system/forms/fee/add?id=${caseGuid}`, { body, token })

test('the fee form refuses what is above a ceiling, too often or too early, naming the rule', async () => {
  const { caseGuid } = await open('SE', { reminderFeeAgreed: true })
  const steep = await addFee(caseGuid, { feeType: 'reminder', amount: 5000 })
  assert.deepEqual([steep.status, steep.body.rule, steep.body.highest], [422, 'SE-REMINDER-CEILING', '60.00'])
  assert.match(steep.body.errors!['amount']![0]!, /At most SEK.60\.00.*1981:739.*4 §/)
  assert.equal((await addFee(caseGuid, { feeType: 'collectionDemand', amount: 180 })).status, 201)
  for (let more = 0; more < 3; more++) {
    const again = await addFee(caseGuid, { feeType: 'collectionDemand', amount: 180 })
    assert.deepEqual([again.status, again.body.rule], [422, 'SE-ONCE'])
  }
  const early = await open('NO', { dueDate: '2026-02-25' })
  const refused = await addFee(early.caseGuid, { feeType: 'reminder' })
  assert.deepEqual(
    [refused.status, refused.body.rule, refused.body.allowedFrom],
    [422, 'NO-REMINDER-FEE-TIME', '2026-03-11'],
  )
  // A client's own fee above the ceiling is lowered to it, and a fee that a court set has none.
  const dear = await open('SE', { reminderFeeAgreed: true })
  await setTerms(api, dear.client, { fees: { reminder: 90 } })
  assert.equal((await addFee(dear.caseGuid, { feeType: 'reminder' })).status, 201)
  assert.equal((await addFee(dear.caseGuid, { feeType: 'courtCost', amount: 2800 })).status, 201)
  assert.deepEqual(await readCourse(dear.caseGuid), ['reminder 6000', 'courtCost 280000'])
  await assertProven(api)
})

test('an administrator may override a rule that leaves it to agreement, with a reason, which is audited', async () => {
  const { caseGuid, client } = await open('SE')
  await setTerms(api, client, { fees: { tracing: 100 } })
  const body = { feeType: 'tracing', amount: 100 }
  assert.equal((await addFee(caseGuid, body)).body.rule, 'SE-OTHER-COSTS')
  const overrideReason = 'Agreed in writing, contract 7'
  const clerk = await addFee(caseGuid, { ...body, overrideReason }, await api.signIn(3))
  assert.equal(clerk.status, 422)
  assert.equal((await addFee(caseGuid, { ...body, overrideReason })).status, 201)
  const [entry] = await api.sql`
    select changes from audit_entry where subject = ${caseGuid} and type = 'case.fee_added' order by position desc limit 1`
  assert.deepEqual(
    [entry!['changes'].rule, entry!['changes'].overrideReason],
    [
      [null, 'SE-OTHER-COSTS'],
      [null, overrideReason],
    ],
  )
  // A ceiling is no matter of agreement.
  const ceiling = await addFee(caseGuid, { feeType: 'collectionDemand', amount: 500, overrideReason })
  assert.deepEqual([ceiling.status, ceiling.body.rule], [422, 'SE-DEMAND-CEILING'])
})

test('the governing country is a consumer’s legal address, else the client’s, and changes by the form alone', async () => {
  const abroad = await open('SE', { currencyCode: 'NOK' })
  await api.call('POST', `/debtors/${abroad.debtorGuid}/addresses`, {
    body: { addressType: 'LEGAL', street: 'Storgata 1', city: 'Oslo', countryCode: 'NO' },
  })
  const law = async (caseGuid: string) =>
    (
      await api.call<Record<string, unknown>>(
        'GET',
        `/system/forms/case/law?id=${caseGuid}&initialValues=true`,
      )
    ).body
  assert.equal((await law(abroad.caseGuid))['governingCountry'], 'SE', 'an address does not change a case')
  const later = await registerCase(
    api.sql,
    agencyCaller,
    {
      clientGuid: abroad.client,
      debtorGuid: abroad.debtorGuid,
      principal: 100,
      currencyCode: 'NOK',
      dueDate: '2026-01-02',
    },
    contextOn(start),
  )
  assert.equal((await law(later.caseGuid))['governingCountry'], 'NO')
  const patch = (body: object) =>
    api.call<Answer>('PATCH', `/system/forms/case/law?id=${abroad.caseGuid}`, { body })
  assert.equal((await patch({ governingCountry: 'QQ' })).status, 400)
  assert.equal(
    (
      await patch({
        governingCountry: 'no',
        countryReason: 'Moved to Oslo before the debt arose',
        reminderFeeAgreed: true,
        noticeDeadline: '2026-02-20',
      })
    ).status,
    200,
  )
  const [row] = await api.sql`
    select governing_country, to_char(governing_from, 'YYYY-MM-DD') as since, reminder_fee_agreed, to_char(limitation_date, 'YYYY-MM-DD') as barred
    from debt_case where id = ${abroad.caseGuid}`
  assert.deepEqual(
    { ...row },
    { governing_country: 'NO', since: start, reminder_fee_agreed: true, barred: '2029-02-01' },
  )
  const business = await makeDebtor(api, { fullName: 'Fjord AS', lastname: null, juridicalType: 1 })
  await api.call('POST', `/debtors/${business}/addresses`, {
    body: { addressType: 'LEGAL', street: 'Storgata 2', city: 'Oslo', countryCode: 'NO' },
  })
  const ofBusiness = await open('SE', { debtorGuid: business })
  assert.equal((await law(ofBusiness.caseGuid))['governingCountry'], 'SE')
})

test('to leave the law of a country with a pack takes a reason and an administrator, and is audited', async () => {
  const { caseGuid } = await open('SE')
  const clerk = await api.signIn(3)
  const patch = (body: object, token = api.token) =>
    api.call<Answer>('PATCH', `/system/forms/case/law?id=${caseGuid}`, { body, token })
  const countryReason = 'The contract names the law of Utah'
  for (const governingCountry of ['US', 'IS', 'DK', '']) {
    const refused = await patch({ governingCountry, countryReason }, clerk)
    assert.equal(refused.status, 403, refused.text)
    assert.match(refused.body.detail!, /case\.admin/)
  }
  assert.equal((await addFee(caseGuid, { feeType: 'collectionDemand', amount: 5000 }, clerk)).status, 422)
  const unsaid = await patch({ governingCountry: 'US', countryReason: ' ' })
  assert.equal(unsaid.status, 400)
  assert.ok(unsaid.body.errors!['countryReason'])
  assert.equal((await patch({ reminderFeeAgreed: true }, clerk)).status, 200, 'the country stays')
  assert.equal((await patch({ governingCountry: 'US', countryReason })).status, 200)
  const [entry] = await api.sql`
    select changes from audit_entry where subject = ${caseGuid} and type = 'case.law_changed' order by position desc limit 1`
  assert.deepEqual(
    [entry!['changes'].governingCountry, entry!['changes'].countryReason],
    [
      ['SE', 'US'],
      [null, countryReason],
    ],
  )
  // Back under a known law a handler may go, with a reason.
  assert.equal((await patch({ governingCountry: 'SE' }, clerk)).status, 400)
  assert.equal((await patch({ governingCountry: 'SE', countryReason }, clerk)).status, 200)
})

test('the permissions of a case say what is allowed, and else why, by which rule and from when (getCasePermissions)', async () => {
  const { debtorGuid, caseGuid } = await open('NO', { dueDate: '2026-02-25' })
  const path = `/debtors/${debtorGuid}/cases/${caseGuid}/permissions`
  const { body } = await api.call<CasePermissions>('GET', path)
  assert.deepEqual([body.governingCountry, body.governingFrom], ['NO', `${start}T00:00:00Z`])
  const find = (action: string) => body.actions.find((one) => one.action === action)!
  const fee = find('fee:reminder')
  assert.deepEqual(
    [fee.allowed, fee.reasonCode, fee.rule, fee.verified, fee.from],
    [false, 'waiting', 'NO-REMINDER-FEE-TIME', true, '2026-03-11T00:00:00Z'],
  )
  assert.match(fee.reason!, /^Allowed from 11 Mar 2026\..*Inkassoforskriften.*§ 1-2/)
  const finnish = await api.call<CasePermissions>('GET', `${path}?culture=fi-FI`)
  const told = finnish.body.actions.find((one) => one.action === 'fee:reminder')!
  assert.match(told.reason!, /^Allowed from 11\.3\.2026\./)
  assert.equal((await api.call('GET', `${path}?culture=en-aa-bb`)).status, 400)
  assert.equal(find('letter:notice').allowed, true)
  assert.deepEqual([find('letter:demand').reasonCode, find('fee:courtCost').allowed], ['missing', true])
  await api.setDate('2026-03-11')
  const later = await api.call<CasePermissions>('GET', path)
  const due = later.body.actions.find(({ action }) => action === 'fee:reminder')!
  assert.deepEqual([due.allowed, due.highest], [true, 38])
  const creditor = await api.signIn(6, await api.addParty('STRANGER'))
  assert.equal((await api.call('GET', path, { token: creditor })).status, 404)
  const unknown = await open('FR', { currencyCode: 'EUR' })
  const free = await api.call<CasePermissions>(
    'GET',
    `/debtors/${unknown.debtorGuid}/cases/${unknown.caseGuid}/permissions`,
  )
  assert.equal(free.body.asOf, null)
  assert.ok(free.body.actions.every(({ allowed }) => allowed))
})
