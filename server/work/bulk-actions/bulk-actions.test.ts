/** Bulk actions over HTTP: confirmed, run as a job with each row by itself, stopped, and undone as one act. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BulkAction, BulkRow } from '../../../contract/work/bulk-actions.ts'
import { sendMessages } from '../../platform/messages/send.ts'
import type { BulkLetters } from '../../../contract/work/bulk-letters.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { openCases } from '../../testing/records/cases.ts'
import { purgeBulkActions } from './bulk-actions.store.ts'

let api: TestApi
let at: Awaited<ReturnType<typeof openCases>>
let runner: JobRunner | undefined
before(async () => {
  api = await startApi()
  at = await openCases(api)
  await api.sql`update party set country_code = 'SE', bank_account_no = '5050-1055'`
})
after(async () => {
  await runner?.stop()
  await api.close()
})

/** Cases of a debtor name of their own, and the filter that finds them. */
let names = 0
async function openNamed(count: number, input: object = {}) {
  const name = `Massa ${++names}`
  const caseGuids: string[] = []
  for (let n = 0; n < count; n++) {
    const made = await at.register({ dueDate: '2026-05-15', ...input })
    await api.call('PATCH', `/debtors/${made.debtorGuid}`, { body: { lastname: name } })
    caseGuids.push(made.caseGuid)
  }
  return { caseGuids, filter: `mainDebtorName eq '${name}'` }
}
const start = (body: object, token = api.token) =>
  api.call<BulkAction>('POST', '/bulkactions', { body: { list: 'cases', ...body }, token })
const read = async (guid: string, token = api.token) =>
  (await api.call<BulkAction>('GET', `/bulkactions/${guid}`, { token })).body
const rows = async (guid: string, filter = '') => {
  const query = filter && `?$filter=${encodeURIComponent(filter)}`
  return (await api.call<{ value: BulkRow[] }>('GET', `/bulkactions/${guid}/rows${query}`)).body.value
}
const withJobs = async () => (runner ??= await runJobs(api))
const withoutJobs = async () => {
  await runner?.stop()
  runner = undefined
}
/** Starts the action and waits for its end. */
async function run(body: object, token = api.token): Promise<BulkAction> {
  await withJobs()
  const begun = await start(body, token)
  assert.equal(begun.status, 202, begun.text)
  await waitForJob(api, begun.body.jobId)
  return read(begun.body.bulkActionGuid, token)
}
async function undo(guid: string): Promise<BulkAction> {
  await withJobs()
  const begun = await api.call<BulkAction>('POST', `/bulkactions/${guid}/undo`)
  assert.equal(begun.status, 202, begun.text)
  await waitForJob(api, begun.body.jobId)
  return read(guid)
}
const counts = ({ status, found, toDo, done, refused, undone }: BulkAction) =>
  [status, found, toDo, done, refused, undone] as const
const readCase = async (caseGuid: string) =>
  (await api.call<{ status: string; subStatus: string; hold: string | null }>('GET', `/cases/${caseGuid}`))
    .body
const hold = { action: 'hold', input: { reason: 'HOLD_DISPUTE' } }

test('every matching case is held, one is refused with its reason, and all is undone as one act (startBulkAction, getBulkAction, listBulkRows, undoBulkAction)', async () => {
  const { caseGuids, filter } = await openNamed(5)
  await api.call('PATCH', `/system/forms/case/close?id=${caseGuids[1]!}`, {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  const ended = await run({ ...hold, filter, expected: 5 })
  assert.deepEqual(counts(ended), ['completed', 5, 0, 4, 1, 0])
  assert.equal(ended.undoable, 4)
  assert.equal((await readCase(caseGuids[0]!)).hold, 'HOLD_DISPUTE')
  const [refused] = await rows(ended.bulkActionGuid, "state eq 'refused'")
  assert.equal(refused!.subjectGuid, caseGuids[1])
  assert.match(refused!.reason!, /closed/i)
  assert.ok(refused!.reference && refused!.name?.startsWith('Massa'))
  // Somebody else changes one of them meanwhile.
  await api.call('PUT', `/cases/${caseGuids[3]!}/nextaction`, {
    body: { nextAction: 'Call', nextActionDate: '2027-01-01T00:00:00Z' },
  })
  const undone = await undo(ended.bulkActionGuid)
  assert.deepEqual([undone.isUndo, undone.undone, undone.done, undone.refused], [true, 3, 1, 1])
  assert.equal((await readCase(caseGuids[0]!)).hold, null)
  assert.equal((await readCase(caseGuids[3]!)).hold, 'HOLD_DISPUTE')
  const [kept] = await rows(ended.bulkActionGuid, "state eq 'done'")
  assert.match(kept!.reason!, /changed meanwhile/)
})

test('nothing is done when more rows match than were confirmed, and fewer are accepted', async () => {
  const { caseGuids, filter } = await openNamed(3)
  const grown = await start({ ...hold, filter, expected: 2 })
  assertProblem(grown, 'conflict', /3 rows match now, and 2 were confirmed/)
  const { found, expected } = grown.body
  assert.deepEqual([found, expected], [3, 2])
  assert.equal((await readCase(caseGuids[0]!)).hold, null)
  const [none] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from bulk_action where filter = ${filter}`
  assert.equal(none!.count, 0)
  assertProblem(
    await start({ ...hold, filter: "mainDebtorName eq 'Nobody'", expected: 2 }),
    'conflict',
    /No row matches/,
  )
  const fewer = await run({ ...hold, filter, expected: 4 })
  assert.deepEqual([fewer.expected, fewer.found, fewer.done], [4, 3, 3])
})

test('an action of another list, a wrong input or filter, and a missing right are refused before anything is stored', async () => {
  const { filter } = await openNamed(1)
  const wrongs: [body: object, member: string][] = [
    [{ action: 'done', filter }, 'action'],
    [{ action: 'hold', filter, input: {} }, 'input/reason'],
    [{ action: 'hold', filter, input: { reason: 7 } }, 'input/reason'],
    [{ action: 'note', filter, input: { text: ' ' } }, 'input/text'],
    [{ action: 'assign', filter }, 'input/ownerGuid'],
    [{ list: 'clients', action: 'strategy', input: {} }, 'input/strategy'],
    [{ ...hold, filter: 'nosuch eq 1' }, '$filter'],
  ]
  for (const [body, member] of wrongs) {
    const answer = await start({ expected: 1, ...body })
    assertProblem(answer, 'invalid', /./, JSON.stringify(body))
    const { errors } = answer.body as unknown as { errors: Record<string, string[]> }
    assert.ok(errors[member], `${answer.text} names ${member}`)
  }
  assertProblem(await start({ ...hold, filter, expected: 0 }), 'invalid', /expected/)
  // A reader may not start any. Who administers clients may not change cases.
  assertProblem(await start({ ...hold, filter, expected: 1 }, await api.signIn(5)), 'forbidden', /write/)
  const administrator = await api.signIn(4)
  assertProblem(await start({ ...hold, filter, expected: 1 }, administrator), 'forbidden', /case\.write,/)
})

test('a caller restricted to clients changes their cases alone, and sees nobody else’s run', async () => {
  const first = await openNamed(1)
  const second = await openNamed(1, { clientGuid: at.other })
  const caseGuids = [...first.caseGuids, ...second.caseGuids]
  const filter = `${first.filter} or ${second.filter}`
  const restricted = await api.signIn(6, at.other)
  const group = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  await api.sql`
    insert into access_group (id, code, name, access_codes) values (${group}, 'W', 'W', ${['case.read', 'case.write']})`
  const [user] = await api.sql<{ id: string }[]>`select id from app_user order by id desc limit 1`
  await api.sql`insert into user_access_group values (${user!.id}, ${group})`
  api.app.service.sessions.forgetUser(user!.id)
  const begun = await start({ ...hold, filter, expected: 2 }, restricted)
  assert.equal(begun.status, 202, begun.text)
  await withJobs()
  await waitForJob(api, begun.body.jobId)
  const { bulkActionGuid } = begun.body
  assert.deepEqual(counts(await read(bulkActionGuid, restricted)), ['completed', 1, 0, 1, 0, 0])
  assert.equal((await readCase(caseGuids[0]!)).hold, null)
  assert.equal((await readCase(caseGuids[1]!)).hold, 'HOLD_DISPUTE')
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/rows'],
    ['POST', '/stop'],
    ['POST', '/undo'],
  ] as const)
    assertProblem(await api.call(method, `/bulkactions/${bulkActionGuid}${path}`), 'not-found', /bulk action/)
  const { body } = await api.call<{ value: BulkAction[] }>('GET', '/bulkactions', { token: restricted })
  assert.deepEqual(
    body.value.map((one) => one.bulkActionGuid),
    [bulkActionGuid],
  )
})

test('the rights, the clients and the filter are those of the moment when a row is changed (listBulkActions)', async () => {
  await withoutJobs()
  const { caseGuids, filter } = await openNamed(2, { principal: 500 })
  const token = await api.signIn(3)
  const begun = await start({ ...hold, filter: `${filter} and status eq 'NEW'`, expected: 2 }, token)
  assert.equal(begun.status, 202, begun.text)
  await api.call('PATCH', `/system/forms/case/status?id=${caseGuids[0]!}`, {
    body: { status: 'AMICABLE', subStatus: 'CONTACT' },
  })
  assert.equal((await readCase(caseGuids[0]!)).status, 'AMICABLE')
  await withJobs()
  await waitForJob(api, begun.body.jobId)
  assert.deepEqual(counts(await read(begun.body.bulkActionGuid, token)), ['completed', 2, 0, 1, 1, 0])
  assert.equal((await readCase(caseGuids[0]!)).hold, null)
  await withoutJobs()
  const later = await start({ action: 'resume', filter, expected: 2 }, token)
  const [user] = await api.sql<{ id: string }[]>`
    update app_user set disabled = true where id = (select asked_by from bulk_action where id = ${later.body.bulkActionGuid})
    returning id`
  api.app.service.sessions.forgetUser(user!.id)
  await withJobs()
  const job = await waitForJob(api, later.body.jobId)
  assert.deepEqual([job.status, /disabled/.test(job.lastError!)], ['failed', true])
  assert.equal((await readCase(caseGuids[1]!)).hold, 'HOLD_DISPUTE')
})

/** Changes the user in the transaction of the first row that is done: the run is under way then. */
async function atFirstRow(change: string, work: () => Promise<void>): Promise<void> {
  await api.sql.unsafe(`
    create function change_asker() returns trigger language plpgsql as $$ begin
      if old.state = 'waiting' and new.state = 'done' then ${change}; end if;
      return new;
    end $$`)
  await api.sql.unsafe(
    'create trigger change_asker before update on bulk_action_row for each row execute function change_asker()',
  )
  try {
    await work()
  } finally {
    await api.sql.unsafe('drop function change_asker() cascade')
  }
}
const asker = '(select asked_by from bulk_action where id = new.action_id)'

test('a user who is disabled or restricted while the run is under way changes no further row', async () => {
  await withJobs()
  await atFirstRow(`update app_user set disabled = true where id = ${asker} and not disabled`, async () => {
    const { caseGuids, filter } = await openNamed(6)
    const begun = await start({ ...hold, filter, expected: 6 }, await api.signIn(3))
    assert.equal(begun.status, 202, begun.text)
    const job = await waitForJob(api, begun.body.jobId)
    assert.deepEqual([job.status, /disabled/.test(job.lastError ?? '')], ['failed', true])
    const held = (await Promise.all(caseGuids.map(readCase))).filter((one) => one.hold !== null)
    assert.ok(held.length >= 1 && held.length <= 2, `two rows are done at once, ${held.length} were done`)
  })
  await api.addParty('OTHERS')
  const restrict = `insert into user_client_restriction (user_id, party_id, include_sub_parties)
    select ${asker}, id, true from party where reference_code = 'OTHERS' on conflict do nothing`
  await atFirstRow(restrict, async () => {
    const { filter } = await openNamed(6)
    const begun = await start({ ...hold, filter, expected: 6 }, await api.signIn(3))
    assert.equal(begun.status, 202, begun.text)
    assert.equal((await waitForJob(api, begun.body.jobId)).status, 'completed')
    const [counted] = await api.sql<{ done: number; refused: number }[]>`
      select count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'refused')::int as refused
      from bulk_action_row where action_id = ${begun.body.bulkActionGuid}`
    assert.ok(
      counted!.done >= 1 && counted!.done <= 2,
      `two rows are done at once, ${counted!.done} were done`,
    )
    assert.equal(counted!.refused, 6 - counted!.done)
  })
})

test('a run that waits is stopped, and one that has ended is not (stopBulkAction)', async () => {
  await withoutJobs()
  const { caseGuids, filter } = await openNamed(2)
  const begun = await start({ ...hold, filter, expected: 2 })
  const { bulkActionGuid } = begun.body
  assertProblem(await api.call('POST', `/bulkactions/${bulkActionGuid}/undo`), 'conflict', /running/)
  const stopped = await api.call<BulkAction>('POST', `/bulkactions/${bulkActionGuid}/stop`)
  assert.deepEqual(counts(stopped.body), ['stopped', 2, 2, 0, 0, 0])
  assertProblem(await api.call('POST', `/bulkactions/${bulkActionGuid}/stop`), 'conflict', /ended/)
  assertProblem(await api.call('POST', `/bulkactions/${bulkActionGuid}/undo`), 'conflict', /no row/)
  await withJobs()
  assert.equal((await readCase(caseGuids[0]!)).hold, null)
})

test('the same request with its key starts one run', async () => {
  const { filter } = await openNamed(1)
  const headers = { 'idempotency-key': 'bulk-once' }
  const body = { list: 'cases', ...hold, filter, expected: 1 }
  const answers = [
    await api.call<BulkAction>('POST', '/bulkactions', { body, headers }),
    await api.call<BulkAction>('POST', '/bulkactions', { body, headers }),
  ]
  assert.equal(answers[0]!.body.bulkActionGuid, answers[1]!.body.bulkActionGuid)
})

test('letters leave ten minutes after the run, all or none are withdrawn, and none once one has left', async () => {
  const { filter } = await openNamed(3)
  const letter = { action: 'letter', input: { kind: 'statement', channel: 'letter' }, filter, expected: 3 }
  const first = await run(letter)
  assert.deepEqual(counts(first), ['completed', 3, 0, 3, 0, 0])
  const waits = await api.sql<{ seconds: number }[]>`
    select extract(epoch from m.next_try_at - b.letters_leave_at)::float8 as seconds
    from bulk_action b join bulk_action_row r on r.action_id = b.id
      join message m on m.document_id = (r.undo #>> '{params,documentGuid}')::uuid where b.id = ${first.bulkActionGuid}`
  assert.deepEqual(
    waits.map(({ seconds }) => seconds),
    [0, 0, 0],
  )
  const [soon] = await api.sql<{ minutes: number }[]>`
    select round(extract(epoch from letters_leave_at - ended_at) / 60)::int as minutes
    from bulk_action b join job_run j on j.id = b.job_id where b.id = ${first.bulkActionGuid}`
  assert.equal(soon!.minutes, 10)
  assert.deepEqual(counts(await undo(first.bulkActionGuid)), ['completed', 3, 0, 0, 0, 3])
  const second = await run(letter)
  await api.sql`
    update message set next_try_at = now() where id = (select m.id from bulk_action_row r
      join message m on m.document_id = (r.undo #>> '{params,documentGuid}')::uuid
      where r.action_id = ${second.bulkActionGuid} limit 1)`
  await sendMessages(api.sql, { email: post, sms: post, letter: post }, () => {})
  assert.equal((await read(second.bulkActionGuid)).undoable, 0)
  const refused = await api.call<{ left: number }>('POST', `/bulkactions/${second.bulkActionGuid}/undo`)
  assertProblem(refused, 'conflict', /1 of its letters may have left/)
  assert.equal(refused.body.left, 1)
})
const post = () => Promise.resolve()

test('letters are foreseen by number, debtors and reasons; claims that are demanded together get one, withdrawn once (foreseeBulkLetters)', async () => {
  const { caseGuids, filter } = await openNamed(3)
  const [first, , closed] = caseGuids as [string, string, string]
  const { mainDebtorGuid: debtorGuid } = (
    await api.call<{ mainDebtorGuid: string }>('GET', `/cases/${first}`)
  ).body
  const { caseGuid: joined } = await at.register({ dueDate: '2026-05-15', debtorGuid })
  await api.call('PATCH', `/system/forms/case/close?id=${closed}`, {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  const letter = { kind: 'reminder', channel: 'letter', dueDate: '2026-07-15T00:00:00Z' }
  const foresee = async (which: object) => {
    const answer = await api.call<BulkLetters>('POST', '/bulkactions/letters/preview', {
      body: { ...letter, ...which },
    })
    assert.equal(answer.status, 200, answer.text)
    const { cases, examined, letters, debtors, together, refused } = answer.body
    return { counts: [cases, examined, letters, debtors], together, refused }
  }
  const all = await foresee({ filter })
  assert.deepEqual([all.counts, all.together], [[4, 4, 2, 2], [joined]])
  assert.equal(all.refused.length, 1)
  assert.equal(all.refused[0]!.cases, 1)
  assert.match(all.refused[0]!.reason, /closed/)
  const chosen = await foresee({ caseGuids: [joined, closed] })
  assert.deepEqual([chosen.counts, chosen.together, chosen.refused[0]!.cases], [[2, 2, 1, 1], [], 1])
  const countLetters = async () => {
    const [row] = await api.sql<{ count: number }[]>`
      select count(*)::int as count from document d join debt_case c on c.id = d.case_id
      where c.main_debtor_id = ${debtorGuid}`
    return row!.count
  }
  assert.equal(await countLetters(), 0, 'nothing is stored before')
  const ended = await run({ action: 'letter', input: letter, filter, expected: 4 })
  assert.deepEqual(counts(ended), ['completed', 4, 0, 3, 1, 0])
  assert.equal(await countLetters(), 1)
  assert.deepEqual(counts(await undo(ended.bulkActionGuid)), ['completed', 4, 0, 0, 1, 3])
  assert.equal(await countLetters(), 0)
  const wrong = await api.call('POST', '/bulkactions/letters/preview', { body: { ...letter, filter: 'no' } })
  assertProblem(wrong, 'invalid', /./)
  const forbidden = await api.call('POST', '/bulkactions/letters/preview', {
    body: letter,
    token: await api.signIn(5),
  })
  assertProblem(forbidden, 'forbidden', /write/)
})

test('status, close, note, assign, nextaction and plan are done and undone', async () => {
  const { caseGuids, filter } = await openNamed(2)
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
      async () => (await readCase(caseGuid)).status,
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
    const ended = await run({ ...action, filter, expected: 2 })
    assert.deepEqual(counts(ended), ['completed', 2, 0, 2, 0, 0], JSON.stringify(action))
    assert.deepEqual(await show(), afterwards)
    assert.deepEqual(
      counts(await undo(ended.bulkActionGuid)),
      ['completed', 2, 0, 0, 0, 2],
      JSON.stringify(action),
    )
    assert.deepEqual(await show(), formerly)
  }
  const status = await run({
    action: 'status',
    input: { status: 'AMICABLE', subStatus: 'CONTACT' },
    filter,
    expected: 2,
  })
  // Amicable collection never goes back to New.
  assert.deepEqual([status.done, status.undoable], [2, 0])
})

const planPath = ({ debtor, plan }: { debtor: string; plan: string }) =>
  `/debtors/${debtor}/paymentplans/${plan}`

test('an undo leaves a proposal that was activated, a plan whose payments were changed, and a note that was changed', async () => {
  const { caseGuids, filter } = await openNamed(3)
  const input = { paymentPlanType: 1, numberOfPayments: 4 }
  const proposed = await run({ action: 'plan', input, filter, expected: 3 })
  const noted = await run({ action: 'note', input: { text: 'To all' }, filter, expected: 3 })
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
  assert.deepEqual(counts(await undo(proposed.bulkActionGuid)), ['completed', 3, 2, 2, 0, 1])
  const states = await api.sql<{ active: number }[]>`
    select active from payment_plan where id = any(${planned.map(({ plan }) => plan)}::uuid[]) order by active`
  assert.deepEqual(
    states.map(({ active }) => active),
    [0, 1, 2],
  )
  const [kept] = await rows(proposed.bulkActionGuid, "state eq 'done'")
  assert.match(kept!.reason!, /changed meanwhile/)
  assert.deepEqual(counts(await undo(noted.bulkActionGuid)), ['completed', 3, 1, 1, 0, 2])
  const left = await api.sql`select text from note where item_guid = any(${caseGuids}::uuid[])`
  assert.deepEqual(
    left.map((one) => one['text'] as string),
    ['To one'],
  )
})

test('items of work are assigned and done, and clients get a strategy', async () => {
  const { caseGuids } = await openNamed(2)
  for (const caseGuid of caseGuids)
    await api.call('PUT', `/cases/${caseGuid}/nextaction`, {
      body: { nextAction: 'Bulk', nextActionDate: '2026-06-20T00:00:00Z' },
    })
  const filter = "task eq 'Bulk'"
  const done = await run({ list: 'work', action: 'done', filter, expected: 2 })
  assert.deepEqual([...counts(done), done.undoable], ['completed', 2, 0, 2, 0, 0, 0])
  const strategies = await api.call<{ value: { code: string }[] }>('GET', '/strategies')
  const { code } = strategies.body.value[0]!
  const named = { list: 'clients', action: 'strategy', filter: "partyReferenceCode eq 'CLIENT'", expected: 1 }
  const given = await run({ ...named, input: { strategy: code } })
  assert.deepEqual(counts(given), ['completed', 1, 0, 1, 0, 0])
  assert.deepEqual(counts(await undo(given.bulkActionGuid)), ['completed', 1, 0, 0, 0, 1])
})

test('bulk actions of more than 90 days ago are deleted', async () => {
  const { filter } = await openNamed(1)
  const { bulkActionGuid } = await run({ ...hold, filter, expected: 1 })
  await api.sql`update bulk_action set created_at = now() - interval '91 days' where id = ${bulkActionGuid}`
  await purgeBulkActions(api.app.service.sql)
  assertProblem(await api.call('GET', `/bulkactions/${bulkActionGuid}`), 'not-found', /bulk action/)
  assert.deepEqual([...(await api.sql`select from bulk_action_row where action_id = ${bulkActionGuid}`)], [])
})
