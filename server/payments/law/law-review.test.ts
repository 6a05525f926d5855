/** The command law-review over HTTP: what it finds, what is confirmed, and what is only listed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseExplanation } from '../../../contract/cases/case-explanation.ts'
import type { LawConfirmation, LawFinding, LawReview } from '../../../contract/cases/law-reviews.ts'
import { registerPayment } from '../payments.ts'
import { reversePayment } from '../reverse-payment.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, setTerms } from '../../testing/records/cases.ts'
import { registerCase } from '../../cases/register-case.ts'
import { confirmFindings } from '../../cases/law-review/confirm-findings.ts'
import { listLawFindings } from '../../cases/law-review/law-reviews.store.ts'
import { lawReviewCommand } from '../../cases/law-review/law-review.command.ts'

let api: TestApi
let runner: JobRunner
let norway: string
let sweden: string
before(async () => {
  api = await startApi()
  runner = await runJobs(api)
  norway = await api.addParty('NORWAY')
  sweden = await api.addParty('SWEDEN')
  await setTerms(api, sweden, { country_code: 'SE' })
})
after(async () => {
  await runner.stop()
  await api.close()
})

const due = '2026-03-02'
const today = '2026-06-15'

async function open(clientGuid: string, input: object = {}, date = today) {
  await api.setDate(date)
  const debtorGuid = await makeDebtor(api)
  const currencyCode = clientGuid === norway ? 'NOK' : 'SEK'
  const whole = { clientGuid, debtorGuid, principal: 1000, currencyCode, dueDate: due, ...input }
  return { debtorGuid, ...(await registerCase(api.sql, agencyCaller, whole, contextOn(date))) }
}
type Made = Awaited<ReturnType<typeof open>>

const form = (type: string, id: string) => `/system/forms/${type}?id=${id}`
async function addFee({ caseGuid }: Made, body: object) {
  const { status, text } = await api.call('POST', form('fee/add', caseGuid), { body })
  assert.ok(status < 300, text)
}
/** As if the country had become known later than the fees were charged. */
const setCountry = async ({ caseGuid }: Made, country: string) => {
  const { status, text } = await api.call('PATCH', form('case/law', caseGuid), {
    body: { governingCountry: country },
  })
  assert.equal(status, 200, text)
}
async function review(): Promise<string> {
  const { body } = await api.call<{ jobId: string }>('POST', '/system/commands/law-review')
  const job = await waitForJob(api, body.jobId)
  assert.equal(job.status, 'completed', JSON.stringify(job))
  return body.jobId
}
const listFindings = async (filter: string, token = api.token) => {
  const path = `/law-findings?$filter=${encodeURIComponent(filter)}&$top=100&$orderby=findingKind`
  const { status, body, text } = await api.call<{ value: LawFinding[] }>('GET', path, { token })
  assert.equal(status, 200, text)
  return body.value
}
const findFindings = ({ caseGuid }: Made) =>
  listFindings(`caseGuid eq ${caseGuid} and findingStatus ne 'REPLACED'`)
const confirm = async (body: object, options: object = {}) =>
  api.call<LawConfirmation>('POST', '/law-findings/confirmations', { body, ...options })
const guids = (found: readonly LawFinding[]) => found.map(({ lawFindingGuid }) => lawFindingGuid)
const readState = async ({ caseGuid }: Made) => {
  const [row] = await api.sql`
    select added_fee as fee, added_interest + accrued_interest as interest, closure_code as closed, version
    from debt_case where id = ${caseGuid}`
  return row!
}

/** A Norwegian case with a reminder fee far above the ceiling, and another of three days later. */
async function overcharge(input: object = {}) {
  const made = await open(norway, input, due)
  await api.setDate(today)
  await addFee(made, { feeType: 'reminder', amount: 500, valueDate: '2026-06-01' })
  await addFee(made, { feeType: 'reminder', amount: 20, valueDate: '2026-03-05' })
  await setCountry(made, 'NO')
  return made
}

test('after the business date was set back, what is later than it is not reviewed', async () => {
  const made = await open(norway, { service: 'SURVEILLANCE' }, today)
  await setCountry(made, 'NO')
  await api.setDate('2026-06-20')
  await addFee(made, { feeType: 'reminder', amount: 38, valueDate: '2026-06-20' })
  const costs = await open(norway, { fee: 38, feeType: 'reminder' }, today)
  await setCountry(costs, 'NO')
  for (const date of ['2026-06-20', '2026-06-15', '2026-06-01']) {
    await api.setDate(date)
    await review()
    assert.deepEqual(await findFindings(made), [], date)
    assert.deepEqual(await findFindings(costs), [], date)
  }
  await api.setDate(today)
})

test('fees above their ceiling and before their day are found, with rule, source and correction', async () => {
  const made = await overcharge()
  const guid = await review()
  const found = await findFindings(made)
  assert.deepEqual(
    found.map(({ findingKind, action, rule, chargedAmount, correction, findingStatus }) => [
      findingKind,
      action,
      rule,
      chargedAmount,
      correction,
      findingStatus,
    ]),
    [
      ['FEE_ABOVE_CEILING', 'fee:reminder', 'NO-REMINDER-CEILING', 500, 'LOWER_FEE', 'OPEN'],
      ['FEE_EARLY', 'fee:reminder', 'NO-REMINDER-FEE-TIME', 20, 'REVERSE_FEE', 'OPEN'],
    ],
  )
  const [high, early] = found
  assert.ok(high!.lawfulAmount! > 0 && high!.lawfulAmount! < 100)
  assert.equal(high!.amount, 500 - high!.lawfulAmount!)
  assert.equal(early!.amount, 20)
  assert.match(high!.ruleSource!, /\w{5}/)
  assert.equal(high!.ruleVerified, true)
  const reviews = await api.call<{ value: LawReview[] }>('GET', '/law-reviews')
  const [latest] = reviews.body.value
  assert.equal(latest!.lawReviewGuid, guid)
  assert.ok(latest!.finishedAt !== null && latest!.openCount! >= 2 && latest!.caseCount! >= 1)
})

test('a confirmed finding is corrected by reversing bookings, once; the case’s other findings stay open (confirmLawFindings)', async () => {
  const made = await overcharge()
  await review()
  const [high, early] = await findFindings(made)
  const lawful = Math.round(high!.lawfulAmount! * 100)
  assert.equal(Number((await readState(made))['fee']), 520_00)
  const first = await confirm({ lawFindingGuids: guids([high!]) })
  assert.equal(first.status, 200, first.text)
  assert.deepEqual([first.body.confirmed, first.body.findings[0]!.outcome], [1, 'CONFIRMED'])
  assert.equal(Number((await readState(made))['fee']), 20_00 + lawful)
  const again = await confirm({ lawFindingGuids: guids([high!, early!]) })
  assert.deepEqual(
    new Set(again.body.findings.map(({ outcome }) => outcome)),
    new Set(['ALREADY_CONFIRMED', 'CONFIRMED']),
  )
  assert.equal(Number((await readState(made))['fee']), lawful)
  const kept = await api.sql`
    select kind, reverses_id is not null as reverses from movement where case_id = ${made.caseGuid} order by number`
  assert.deepEqual(
    kept.map(({ kind, reverses }) => [kind, reverses]),
    [
      ['fee', false],
      ['fee', false],
      ['reversal', true],
      ['fee', false],
      ['reversal', true],
    ],
  )
  const events = await api.sql`
    select data from event where subject = ${made.caseGuid} and type = 'case.law_corrected' order by sequence`
  assert.equal(events.length, 2)
  assert.equal(events[0]!['data'].lawFindingGuid, high!.lawFindingGuid)
  const audit = await api.sql`
    select actor_id from audit_entry where subject = ${made.caseGuid} and type = 'case.law_corrected'`
  assert.ok(audit.every(({ actor_id }) => actor_id !== null))
  await assertProven(api)
  await review()
  assert.deepEqual(
    (await findFindings(made)).map(({ findingStatus }) => findingStatus),
    ['CONFIRMED', 'CONFIRMED'],
    'nothing is left to find',
  )
})

test('a case that has changed since the review is refused and stays as it is', async () => {
  const made = await overcharge()
  await review()
  const found = await findFindings(made)
  await addFee(made, { feeType: 'courtCost', amount: 10 })
  const { body } = await confirm({ lawFindingGuids: guids(found) })
  assert.deepEqual(
    body.findings.map(({ outcome, obstacle }) => [outcome, obstacle]),
    [
      ['REFUSED', 'CASE_CHANGED'],
      ['REFUSED', 'CASE_CHANGED'],
    ],
  )
  assert.equal(Number((await readState(made))['fee']), 530_00)
  await review()
  const anew = (await findFindings(made)).filter(({ findingStatus }) => findingStatus === 'OPEN')
  assert.equal((await confirm({ lawFindingGuids: guids(anew) })).body.confirmed, 2)
})

test('all findings of a review are confirmed; those of closed cases are only listed', async () => {
  const [one, two, closed] = [await overcharge(), await overcharge(), await overcharge()]
  const { status } = await api.call('PATCH', form('case/close', closed.caseGuid), {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  assert.equal(status, 200)
  const lawReviewGuid = await review()
  const listed = await findFindings(closed)
  assert.deepEqual(
    listed.map(({ findingStatus, obstacle }) => [findingStatus, obstacle]),
    [
      ['LISTED', 'CLOSED'],
      ['LISTED', 'CLOSED'],
    ],
  )
  const { body } = await confirm({ lawReviewGuid })
  assert.ok(body.confirmed >= 4)
  assert.equal(body.remaining, 0)
  assert.equal(Number((await readState(closed))['fee']), 520_00)
  for (const made of [one, two]) assert.ok(Number((await readState(made))['fee']) < 100_00)
  const refused = await confirm({ lawFindingGuids: guids(listed) })
  assert.deepEqual(
    refused.body.findings.map(({ outcome, obstacle }) => [outcome, obstacle]),
    [
      ['REFUSED', 'CLOSED'],
      ['REFUSED', 'CLOSED'],
    ],
  )
  assert.deepEqual(await confirm({ lawReviewGuid }).then(({ body: more }) => more.findings), [])
  await assertProven(api)
})

test('a case of which money was paid out is only listed, and refused when it was paid out since', async () => {
  const [settled, since] = [await overcharge(), await overcharge()]
  const pay = ({ caseGuid }: Made) =>
    registerPayment(api.sql, agencyCaller, { caseGuid, amount: 900, valueDate: today }, contextOn(today))
  const payOut = async () => {
    const { status, text } = await api.call('POST', '/payouts', { body: { currencyCode: 'NOK' } })
    assert.equal(status, 201, text)
  }
  await api.sql`update party set bank_account_no = 'NO93 8601 1117 947' where parent_id is null or id = ${norway}`
  await pay(settled)
  await payOut()
  await pay(since)
  await review()
  assert.deepEqual(
    (await findFindings(settled)).map(({ findingStatus, obstacle }) => [findingStatus, obstacle]),
    [
      ['LISTED', 'PAID_OUT'],
      ['LISTED', 'PAID_OUT'],
    ],
  )
  const found = await findFindings(since)
  assert.ok(found.every(({ findingStatus }) => findingStatus === 'OPEN'))
  await payOut()
  const { body } = await confirm({ lawFindingGuids: guids(found) })
  assert.deepEqual(
    body.findings.map(({ outcome, obstacle }) => [outcome, obstacle]),
    [
      ['REFUSED', 'PAID_OUT'],
      ['REFUSED', 'PAID_OUT'],
    ],
  )
  assert.equal(Number((await readState(since))['fee']), 520_00)
})

test('a barred claim on hold is found, and closed as time-barred', async () => {
  const made = await open(sweden, { dueDate: '2022-01-10', invoiceDate: '2022-01-01', claimKind: 'CONSUMER' })
  await api.call('PATCH', form('case/hold', made.caseGuid), { body: { reason: 'HOLD_CLIENT' } })
  await review()
  const [found] = await findFindings(made)
  assert.deepEqual([found!.findingKind, found!.correction, found!.amount], ['BARRED', 'CLOSE_BARRED', 1000])
  assert.match(found!.rule!, /^SE-/)
  assert.equal((await confirm({ lawFindingGuids: guids([found!]) })).body.confirmed, 1)
  assert.equal((await readState(made))['closed'], 'TIME_BARRED')
  await assertProven(api)
})

test('a letter before its day, and one with too short a deadline, are listed: nothing can be booked', async () => {
  const made = await open(norway)
  const send = async (date: string, dueDate: string) =>
    api.sql`
      insert into document (id, debtor_id, case_id, client_ids, kind, language, title, business_date, data, due_date)
      select gen_random_uuid(), main_debtor_id, id, array[client_id], 'reminder', 'no', 'Purring', ${date}, '{}', ${dueDate}
      from debt_case where id = ${made.caseGuid}`
  await send('2026-03-01', '2026-03-20')
  await send('2026-03-20', '2026-03-25')
  await setCountry(made, 'NO')
  await review()
  const found = await findFindings(made)
  assert.deepEqual(
    found.map(({ findingKind, findingStatus, obstacle, rule }) => [
      findingKind,
      findingStatus,
      obstacle,
      rule,
    ]),
    [
      ['DEMAND_DEADLINE', 'LISTED', 'NOTHING_TO_BOOK', 'NO-REMINDER-DEADLINE'],
      ['DEMAND_EARLY', 'LISTED', 'NOTHING_TO_BOOK', 'NO-DUE'],
    ],
  )
})

test('interest booked by 365 days in a leap year is reckoned again when that is confirmed', async () => {
  const start = '2023-12-01'
  const made = await open(
    norway,
    { principal: 36_600, interestRate: 10, interestFromDate: start, dueDate: start },
    start,
  )
  await setCountry(made, 'NO')
  await api.setDate('2024-06-30')
  const kept = JSON.stringify([
    { from: null, basis: 'actual/365' },
    { from: '2024-07-01', country: 'NO' },
  ])
  await api.sql`update debt_case set day_count = ${kept}::text::jsonb where id = ${made.caseGuid}`
  await registerPayment(
    api.sql,
    agencyCaller,
    { caseGuid: made.caseGuid, amount: 3000, valueDate: '2024-06-30' },
    contextOn('2024-06-30'),
  )
  assert.equal(Number((await readState(made))['interest']), 2125_81)
  await assertProven(api)
  await review()
  const [found] = await findFindings(made)
  assert.deepEqual(
    [found!.findingKind, found!.chargedAmount, found!.lawfulAmount, found!.amount, found!.rule],
    ['INTEREST_DAYS', 2125.81, 2120.82, 4.99, 'NO-DAYS'],
  )
  const { body } = await confirm({ lawFindingGuids: guids([found!]) })
  assert.equal(body.confirmed, 1)
  assert.equal(Number((await readState(made))['interest']), 2120_82)
  const reversed = await api.sql`
    select from ledger_transaction where case_id = ${made.caseGuid} and kind = 'interest' and reverses_id is not null`
  assert.equal(reversed.length, 1)
  await assertProven(api)
})

test('interest that a case gathered while it was closed is taken off when it is open again', async () => {
  const start = '2025-01-01'
  const made = await open(
    sweden,
    { principal: 36_500, interestRate: 10, interestFromDate: start, dueDate: start },
    start,
  )
  const { caseGuid } = made
  const paid = await registerPayment(
    api.sql,
    agencyCaller,
    { caseGuid, amount: 36_500, valueDate: start },
    contextOn(start),
  )
  // Closed as recalled; then the payment bounced. Before, such a case was left to gather interest.
  await api.setDate('2025-01-11')
  await api.call('PATCH', form('case/reopen', caseGuid), { body: {} })
  await api.call('PATCH', form('case/close', caseGuid), { body: { closureCode: 'RECALLED_BY_CLIENT' } })
  await reversePayment(
    api.sql,
    agencyCaller,
    { paymentGuid: paid.paymentGuid, input: { reason: 'Bounced', bounced: true } },
    contextOn('2025-01-11'),
  )
  await api.sql`alter table movement disable trigger user`
  await api.sql`delete from movement where case_id = ${caseGuid} and kind = 'close'`
  await api.sql`alter table movement enable trigger user`
  await api.setDate('2024-12-31')
  await api.setDate('2025-01-21')
  const { status, text } = await api.call('PATCH', form('case/reopen', caseGuid), { body: {} })
  assert.equal(status, 200, text)
  await api.setDate('2025-01-31')
  const gathered = Number((await readState(made))['interest'])
  assert.equal(gathered, 300_00)
  await review()
  const [found] = await findFindings(made)
  assert.deepEqual([found!.findingKind, found!.correction], ['INTEREST_WHILE_CLOSED', 'STOP_INTEREST'])
  assert.equal((await confirm({ lawFindingGuids: guids([found!]) })).body.confirmed, 1)
  const left = Number((await readState(made))['interest'])
  assert.equal(left, gathered - found!.amount! * 100)
  await assertProven(api)
})

test('chunks of any size find the same, and a review begun again begins anew', async () => {
  const made = await overcharge()
  const id = await review()
  const whole = await findFindings(made)
  const [stored] = await api.sql`select count(*)::int as count from law_finding where review_id = ${id}`
  const job = {
    id,
    askedBy: null,
    sql: api.sql,
    progress: async () => {},
    complete: async (work: (tx: never) => Promise<unknown>) => void (await work(api.sql as never)),
  }
  await lawReviewCommand(1).run(job as never, [])
  const [again] = await api.sql`select count(*)::int as count from law_finding where review_id = ${id}`
  assert.equal(again!['count'], stored!['count'])
  assert.deepEqual(
    (await findFindings(made)).map(({ rule, amount }) => [rule, amount]),
    whole.map(({ rule, amount }) => [rule, amount]),
  )
})

test('a user restricted to a client sees only its findings; only administrators confirm (listLawFindings, listLawReviews)', async () => {
  const made = await overcharge()
  await review()
  const found = await findFindings(made)
  const handler = await api.signIn(3)
  assert.equal((await listFindings(`caseGuid eq ${made.caseGuid}`, handler)).length, 2)
  assert.equal((await confirm({ lawFindingGuids: guids(found) }, { token: handler })).status, 403)
  const listFor = async (party: string) => {
    const query = { $filter: `caseGuid eq ${made.caseGuid}` }
    const { totals } = api.app.service
    const caller = { ...agencyCaller, partyIds: [party] }
    return (await listLawFindings(api.sql, caller, query, { totals, today })).value
  }
  assert.deepEqual([(await listFor(sweden)).length, (await listFor(norway)).length], [0, 2])
  const restricted = await api.signIn(6, norway)
  assert.equal((await api.call('GET', '/law-findings', { token: restricted })).status, 403)
  assert.equal((await confirm({ lawFindingGuids: guids(found) }, { token: restricted })).status, 403)
  const elsewhere = { ...agencyCaller, partyIds: [sweden] }
  await assert.rejects(
    confirmFindings(api.sql, elsewhere, { lawFindingGuids: guids(found) }, contextOn(today).origin),
    { kind: 'not-found' },
  )
  assert.equal((await api.call('GET', '/law-reviews', { token: restricted })).status, 403)
})

test('a confirmation names findings or a review, not both', async () => {
  assertProblem(await confirm({}), 'invalid', /lawFindingGuids/)
  const guid = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  assertProblem(await confirm({ lawFindingGuids: [guid], lawReviewGuid: guid }), 'invalid', /lawFindingGuids/)
  assert.equal((await confirm({ lawFindingGuids: [guid] })).status, 404)
  assert.equal((await confirm({ lawReviewGuid: guid })).status, 404)
})

test('the lawful fee of a payment plan is no finding, and its explanation names kind and rule', async () => {
  const made = await open(sweden)
  await setCountry(made, 'SE')
  const plan = await api.call('POST', `/debtors/${made.debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 6, registrationFee: 170, invoiceFee: 0, active: 1 },
  })
  assert.equal(plan.status, 201, plan.text)
  await review()
  assert.deepEqual(await findFindings(made), [])
  const { body } = await api.call<CaseExplanation>(
    'GET',
    `/debtors/${made.debtorGuid}/cases/${made.caseGuid}/explain`,
  )
  const lines = body.figures.flatMap((figure) => figure.lines).filter(({ rule }) => rule === 'FEE')
  assert.ok(lines.length > 0)
  for (const { amount, lawRule, note } of lines) {
    assert.deepEqual([amount, lawRule], [170, 'SE-PLAN-CEILING'])
    assert.match(note ?? '', /^Registration of a payment plan/)
  }
})
