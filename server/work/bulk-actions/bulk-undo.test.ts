/** Each bulk action over HTTP, done and undone, and what an undo leaves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApi } from '../../testing/api.ts'
import { BulkCases, countRows } from '../../testing/records/bulk-cases.ts'

let bulk: BulkCases
let api: TestApi
before(async () => {
  bulk = await BulkCases.start()
  api = bulk.api
})
after(() => bulk.close())

test('status, close, note, assign, nextaction and plan are done and undone', async () => {
  const { caseGuids, filter } = await bulk.openNamed(2)
  const [caseGuid] = caseGuids as [string]
  const { userGuid } = (await api.call<{ users: { userGuid: string }[] }>('GET', '/work/owners')).body
    .users[0]!
  const work = async () =>
    (
      await api.call<{ ownerGuid: string | null; nextAction: string | null }>(
        'GET',
        `/cases/${caseGuid}/work`,
      )
    ).body
  const notes = async () => (await api.call<{ total: number }>('GET', `/cases/${caseGuid}/notes`)).body.total
  const plans = async () => {
    const [row] = await api.sql<{ count: number }[]>`
      select count(*)::int as count from payment_plan p join payment_plan_case k on k.plan_id = p.id
      where k.case_id = ${caseGuid} and p.end_date is null`
    return row!.count
  }
  const actions: [object, () => Promise<unknown>, unknown, unknown][] = [
    [
      { action: 'close', input: { closureCode: 'RECALLED_BY_CLIENT' } },
      async () => (await bulk.readCase(caseGuid)).status,
      'CLOSED',
      'NEW',
    ],
    [{ action: 'note', input: { text: 'To all' } }, notes, 1, 0],
    [
      { action: 'assign', input: { ownerGuid: userGuid } },
      async () => (await work()).ownerGuid,
      userGuid,
      null,
    ],
    [
      { action: 'nextaction', input: { nextAction: 'Call', nextActionDate: '2027-01-01T00:00:00Z' } },
      async () => (await work()).nextAction,
      'Call',
      null,
    ],
    [{ action: 'plan', input: { paymentPlanType: 1, numberOfPayments: 4 } }, plans, 1, 0],
  ]
  for (const [action, show, afterwards, formerly] of actions) {
    const ended = await bulk.run({ ...action, filter, expected: 2 })
    assert.deepEqual(countRows(ended), ['completed', 2, 0, 2, 0, 0], JSON.stringify(action))
    assert.deepEqual(await show(), afterwards)
    assert.deepEqual(
      countRows(await bulk.undo(ended.bulkActionGuid)),
      ['completed', 2, 0, 0, 0, 2],
      JSON.stringify(action),
    )
    assert.deepEqual(await show(), formerly)
  }
  const status = await bulk.run({
    action: 'status',
    input: { status: 'AMICABLE', subStatus: 'CONTACT' },
    filter,
    expected: 2,
  })
  // Amicable collection never goes back to New.
  assert.deepEqual([status.done, status.undoable], [2, 0])
})

test('an undone hold gives back the hold of before, and an undone end of a hold its last day and pause', async () => {
  const { caseGuids, filter } = await bulk.openNamed(1)
  const [caseGuid] = caseGuids as [string]
  const form = `/system/forms/case/hold?id=${caseGuid}`
  // Interest pauses from the day after the registration at the earliest.
  await api.setDate('2026-06-16')
  const body = { reason: 'HOLD_CLIENT', holdUntil: '2026-12-31', interestPaused: true }
  const held = await api.call('PATCH', form, { body })
  assert.ok(held.status < 300, held.text)
  const readHold = async () => {
    const { hold } = await bulk.readCase(caseGuid)
    const { holdFrom, holdUntil, interestPaused } = (
      await api.call<Record<string, unknown>>('GET', `/system/forms/case/hold?id=${caseGuid}`)
    ).body
    return { hold, holdFrom, holdUntil, interestPaused }
  }
  const formerly = await readHold()
  assert.equal(formerly.hold, 'HOLD_CLIENT')
  const disputed = { reason: 'HOLD_DISPUTE', interestPaused: false, holdUntil: '2026-11-30' }
  for (const action of [{ action: 'hold', input: disputed }, { action: 'resume' }]) {
    const ended = await bulk.run({ ...action, filter, expected: 1 })
    assert.deepEqual(countRows(ended), ['completed', 1, 0, 1, 0, 0], action.action)
    assert.notDeepEqual(await readHold(), formerly, action.action)
    assert.deepEqual(countRows(await bulk.undo(ended.bulkActionGuid)), ['completed', 1, 0, 0, 0, 1])
    assert.deepEqual(await readHold(), formerly, action.action)
  }
})

const planPath = ({ debtor, plan }: { debtor: string; plan: string }) =>
  `/debtors/${debtor}/paymentplans/${plan}`

test('an undo leaves a proposal that was activated, a plan whose payments were changed, and a note that was changed', async () => {
  const { caseGuids, filter } = await bulk.openNamed(3)
  const input = { paymentPlanType: 1, numberOfPayments: 4 }
  const proposed = await bulk.run({ action: 'plan', input, filter, expected: 3 })
  const noted = await bulk.run({ action: 'note', input: { text: 'To all' }, filter, expected: 3 })
  const planned = await api.sql<{ debtor: string; plan: string }[]>`
    select p.debtor_id as debtor, p.id as plan from payment_plan p join payment_plan_case k on k.plan_id = p.id
    where k.case_id = any(${caseGuids}::uuid[]) order by k.case_id`
  const activated = await api.call('POST', `${planPath(planned[0]!)}/activate`)
  assert.ok(activated.status < 300, activated.text)
  const payments = [{ paymentNo: 1, specifiedDueDate: '2026-08-01' }]
  const changed = await api.call('PATCH', planPath(planned[1]!), { body: { payments } })
  assert.ok(changed.status < 300, changed.text)
  const [note] = await api.sql<{ id: string; item: string }[]>`
    select id, item_guid as item from note where item_guid = any(${caseGuids}::uuid[]) order by id limit 1`
  const edit = `/system/forms/note/edit?id=${note!.item}&subId=${note!.id}`
  assert.ok((await api.call('PATCH', edit, { body: { text: 'To one' } })).status < 300)

  // What is left could be undone later, if it is changed back.
  assert.deepEqual(countRows(await bulk.undo(proposed.bulkActionGuid)), ['completed', 3, 2, 2, 0, 1])
  const states = await api.sql<{ active: number }[]>`
    select active from payment_plan where id = any(${planned.map(({ plan }) => plan)}::uuid[]) order by active`
  assert.deepEqual(
    states.map(({ active }) => active),
    [0, 1, 2],
  )
  const [kept] = await bulk.listRows(proposed.bulkActionGuid, "state eq 'done'")
  assert.match(kept!.reason!, /changed meanwhile/)
  assert.deepEqual(countRows(await bulk.undo(noted.bulkActionGuid)), ['completed', 3, 1, 1, 0, 2])
  const left = await api.sql`select text from note where item_guid = any(${caseGuids}::uuid[])`
  assert.deepEqual(
    left.map((one) => one['text'] as string),
    ['To one'],
  )
})

test('items of work are assigned and done, and clients get a strategy', async () => {
  const { caseGuids } = await bulk.openNamed(2)
  for (const caseGuid of caseGuids)
    await api.call('PUT', `/cases/${caseGuid}/nextaction`, {
      body: { nextAction: 'Bulk', nextActionDate: '2026-06-20T00:00:00Z' },
    })
  const filter = "task eq 'Bulk'"
  const done = await bulk.run({ list: 'work', action: 'done', filter, expected: 2 })
  assert.deepEqual([...countRows(done), done.undoable], ['completed', 2, 0, 2, 0, 0, 0])
  const strategies = await api.call<{ value: { code: string }[] }>('GET', '/strategies')
  const { code } = strategies.body.value[0]!
  const named = { list: 'clients', action: 'strategy', filter: "partyReferenceCode eq 'CLIENT'", expected: 1 }
  const given = await bulk.run({ ...named, input: { strategy: code } })
  assert.deepEqual(countRows(given), ['completed', 1, 0, 1, 0, 0])
  assert.deepEqual(countRows(await bulk.undo(given.bulkActionGuid)), ['completed', 1, 0, 0, 0, 1])
})
