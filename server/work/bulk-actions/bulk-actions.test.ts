/** Bulk actions over HTTP: confirmed, run as a job with each row by itself, stopped, and undone as one act. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BulkAction } from '../../../contract/work/bulk-actions.ts'
import type { TestApi } from '../../testing/api.ts'
import { waitForJob } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { BulkCases, countRows } from '../../testing/records/bulk-cases.ts'
import { purgeBulkActions } from './bulk-actions.store.ts'

const hold = { action: 'hold', input: { reason: 'HOLD_DISPUTE' } }

let bulk: BulkCases
let api: TestApi
before(async () => {
  bulk = await BulkCases.start()
  api = bulk.api
})
after(() => bulk.close())

test('every matching case is held, one is refused with its reason, and all is undone as one act (startBulkAction, getBulkAction, listBulkRows, undoBulkAction)', async () => {
  const { caseGuids, filter } = await bulk.openNamed(5)
  await api.call('PATCH', `/system/forms/case/close?id=${caseGuids[1]!}`, {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  const ended = await bulk.run({ ...hold, filter, expected: 5 })
  assert.deepEqual(countRows(ended), ['completed', 5, 0, 4, 1, 0])
  assert.equal(ended.undoable, 4)
  assert.equal((await bulk.readCase(caseGuids[0]!)).hold, 'HOLD_DISPUTE')
  const [refused] = await bulk.listRows(ended.bulkActionGuid, "state eq 'refused'")
  assert.equal(refused!.subjectGuid, caseGuids[1])
  assert.match(refused!.reason!, /closed/i)
  assert.ok(refused!.reference && refused!.name?.startsWith('Massa'))
  // Somebody else changes one of them meanwhile.
  await api.call('PUT', `/cases/${caseGuids[3]!}/nextaction`, {
    body: { nextAction: 'Call', nextActionDate: '2027-01-01T00:00:00Z' },
  })
  const undone = await bulk.undo(ended.bulkActionGuid)
  assert.deepEqual([undone.isUndo, undone.undone, undone.done, undone.refused], [true, 3, 1, 1])
  assert.equal((await bulk.readCase(caseGuids[0]!)).hold, null)
  assert.equal((await bulk.readCase(caseGuids[3]!)).hold, 'HOLD_DISPUTE')
  const [kept] = await bulk.listRows(ended.bulkActionGuid, "state eq 'done'")
  assert.match(kept!.reason!, /changed meanwhile/)
})

test('nothing is done when more rows match than were confirmed, and fewer are accepted', async () => {
  const { caseGuids, filter } = await bulk.openNamed(3)
  const grown = await bulk.begin({ ...hold, filter, expected: 2 })
  assertProblem(grown, 'conflict', /3 rows match now, and 2 were confirmed/)
  const { found, expected } = grown.body
  assert.deepEqual([found, expected], [3, 2])
  assert.equal((await bulk.readCase(caseGuids[0]!)).hold, null)
  const [none] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from bulk_action where filter = ${filter}`
  assert.equal(none!.count, 0)
  assertProblem(
    await bulk.begin({ ...hold, filter: "mainDebtorName eq 'Nobody'", expected: 2 }),
    'conflict',
    /No row matches/,
  )
  const fewer = await bulk.run({ ...hold, filter, expected: 4 })
  assert.deepEqual([fewer.expected, fewer.found, fewer.done], [4, 3, 3])
})

test('an action of another list, a wrong input or filter, and a missing right are refused before anything is stored', async () => {
  const { filter } = await bulk.openNamed(1)
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
    const answer = await bulk.begin({ expected: 1, ...body })
    assertProblem(answer, 'invalid', /./, JSON.stringify(body))
    const { errors } = answer.body as unknown as { errors: Record<string, string[]> }
    assert.ok(errors[member], `${answer.text} names ${member}`)
  }
  assertProblem(await bulk.begin({ ...hold, filter, expected: 0 }), 'invalid', /expected/)
  // A reader may not start any. Who administers clients may not change cases.
  assertProblem(await bulk.begin({ ...hold, filter, expected: 1 }, await api.signIn(5)), 'forbidden', /write/)
  const administrator = await api.signIn(4)
  assertProblem(
    await bulk.begin({ ...hold, filter, expected: 1 }, administrator),
    'forbidden',
    /case\.write,/,
  )
})

test('a caller restricted to clients changes their cases alone, and sees nobody else’s run', async () => {
  const first = await bulk.openNamed(1)
  const second = await bulk.openNamed(1, { clientGuid: bulk.at.other })
  const caseGuids = [...first.caseGuids, ...second.caseGuids]
  const filter = `${first.filter} or ${second.filter}`
  const restricted = await api.signIn(6, bulk.at.other)
  const group = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  await api.sql`
    insert into access_group (id, code, name, access_codes) values (${group}, 'W', 'W', ${['case.read', 'case.write']})`
  const [user] = await api.sql<{ id: string }[]>`select id from app_user order by id desc limit 1`
  await api.sql`insert into user_access_group values (${user!.id}, ${group})`
  api.app.service.sessions.forgetUser(user!.id)
  const begun = await bulk.begin({ ...hold, filter, expected: 2 }, restricted)
  assert.equal(begun.status, 202, begun.text)
  await bulk.startJobs()
  await waitForJob(api, begun.body.jobId)
  const { bulkActionGuid } = begun.body
  assert.deepEqual(countRows(await bulk.read(bulkActionGuid, restricted)), ['completed', 1, 0, 1, 0, 0])
  assert.equal((await bulk.readCase(caseGuids[0]!)).hold, null)
  assert.equal((await bulk.readCase(caseGuids[1]!)).hold, 'HOLD_DISPUTE')
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
  await bulk.stopJobs()
  const { caseGuids, filter } = await bulk.openNamed(2, { principal: 500 })
  const token = await api.signIn(3)
  const begun = await bulk.begin({ ...hold, filter: `${filter} and status eq 'NEW'`, expected: 2 }, token)
  assert.equal(begun.status, 202, begun.text)
  await api.call('PATCH', `/system/forms/case/status?id=${caseGuids[0]!}`, {
    body: { status: 'AMICABLE', subStatus: 'CONTACT' },
  })
  assert.equal((await bulk.readCase(caseGuids[0]!)).status, 'AMICABLE')
  await bulk.startJobs()
  await waitForJob(api, begun.body.jobId)
  assert.deepEqual(countRows(await bulk.read(begun.body.bulkActionGuid, token)), ['completed', 2, 0, 1, 1, 0])
  assert.equal((await bulk.readCase(caseGuids[0]!)).hold, null)
  await bulk.stopJobs()
  const later = await bulk.begin({ action: 'resume', filter, expected: 2 }, token)
  const [user] = await api.sql<{ id: string }[]>`
    update app_user set disabled = true where id = (select asked_by from bulk_action where id = ${later.body.bulkActionGuid})
    returning id`
  api.app.service.sessions.forgetUser(user!.id)
  await bulk.startJobs()
  const job = await waitForJob(api, later.body.jobId)
  assert.deepEqual([job.status, /disabled/.test(job.lastError!)], ['failed', true])
  assert.equal((await bulk.readCase(caseGuids[1]!)).hold, 'HOLD_DISPUTE')
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
  await bulk.startJobs()
  await atFirstRow(`update app_user set disabled = true where id = ${asker} and not disabled`, async () => {
    const { caseGuids, filter } = await bulk.openNamed(6)
    const begun = await bulk.begin({ ...hold, filter, expected: 6 }, await api.signIn(3))
    assert.equal(begun.status, 202, begun.text)
    const job = await waitForJob(api, begun.body.jobId)
    assert.deepEqual([job.status, /disabled/.test(job.lastError ?? '')], ['failed', true])
    const held = (await Promise.all(caseGuids.map((guid) => bulk.readCase(guid)))).filter(
      (one) => one.hold !== null,
    )
    assert.ok(held.length >= 1 && held.length <= 2, `two rows are done at once, ${held.length} were done`)
  })
  await api.addParty('OTHERS')
  const restrict = `insert into user_client_restriction (user_id, party_id, include_sub_parties)
    select ${asker}, id, true from party where reference_code = 'OTHERS' on conflict do nothing`
  await atFirstRow(restrict, async () => {
    const { filter } = await bulk.openNamed(6)
    const begun = await bulk.begin({ ...hold, filter, expected: 6 }, await api.signIn(3))
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
  await bulk.stopJobs()
  const { caseGuids, filter } = await bulk.openNamed(2)
  const begun = await bulk.begin({ ...hold, filter, expected: 2 })
  const { bulkActionGuid } = begun.body
  assertProblem(await api.call('POST', `/bulkactions/${bulkActionGuid}/undo`), 'conflict', /running/)
  const stopped = await api.call<BulkAction>('POST', `/bulkactions/${bulkActionGuid}/stop`)
  assert.deepEqual(countRows(stopped.body), ['stopped', 2, 2, 0, 0, 0])
  assertProblem(await api.call('POST', `/bulkactions/${bulkActionGuid}/stop`), 'conflict', /ended/)
  assertProblem(await api.call('POST', `/bulkactions/${bulkActionGuid}/undo`), 'conflict', /no row/)
  await bulk.startJobs()
  assert.equal((await bulk.readCase(caseGuids[0]!)).hold, null)
})

test('the same request with its key starts one run', async () => {
  const { filter } = await bulk.openNamed(1)
  const headers = { 'idempotency-key': 'bulk-once' }
  const body = { list: 'cases', ...hold, filter, expected: 1 }
  const answers = [
    await api.call<BulkAction>('POST', '/bulkactions', { body, headers }),
    await api.call<BulkAction>('POST', '/bulkactions', { body, headers }),
  ]
  assert.equal(answers[0]!.body.bulkActionGuid, answers[1]!.body.bulkActionGuid)
})

test('bulk actions of more than 90 days ago are deleted', async () => {
  const { filter } = await bulk.openNamed(1)
  const { bulkActionGuid } = await bulk.run({ ...hold, filter, expected: 1 })
  await api.sql`update bulk_action set created_at = now() - interval '91 days' where id = ${bulkActionGuid}`
  await purgeBulkActions(api.app.service.sql)
  assertProblem(await api.call('GET', `/bulkactions/${bulkActionGuid}`), 'not-found', /bulk action/)
  assert.deepEqual([...(await api.sql`select from bulk_action_row where action_id = ${bulkActionGuid}`)], [])
})
