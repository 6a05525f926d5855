/** The case handlers' queue over HTTP: its reasons, taking, assigning, doing, and counting it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseWork, WorkItem, WorkOwners, WorkQueue } from '../../contract/work/work.ts'
import { applyStrategies } from '../collection/strategies/apply-strategies.ts'
import { assignStrategy, insertStrategy } from '../collection/strategies/strategies.store.ts'
import { checkPlans } from '../plans/check-plans.ts'
import type { Page } from '../platform/database/list.ts'
import { makeId } from '../platform/database/make-id.ts'
import { runChunks } from '../platform/jobs/chunked-work.ts'
import { assertProblem } from '../testing/problem.ts'
import { contextOn, nowhere } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const start = '2026-01-15'
let stage: PlanStage
/** Two handlers; the first is in the team. */
const handlers: { token: string; userGuid: string }[] = []
let team = ''
/** A client that has no case. */
let other = ''

before(async () => {
  stage = await openPlanStage(start)
  const { api } = stage
  for (const name of ['one', 'two']) {
    const token = await api.signIn(3)
    const userGuid = await newestUser()
    handlers.push({ token, userGuid })
    await api.sql`update app_user set full_name = ${`Handler ${name}`} where id = ${userGuid}`
  }
  team = makeId()
  await api.sql`insert into access_group (id, code, name, access_codes) values (${team}, 'NORTH', 'Team North', '{}')`
  await api.sql`insert into user_access_group values (${handlers[0]!.userGuid}, ${team})`
  other = await api.addParty('OTHER')
})
after(() => stage.api.close())

/** The user who signed in last. */
async function newestUser(): Promise<string> {
  const [user] = await stage.api.sql<{ id: string }[]>`select id from app_user order by id desc limit 1`
  return user!.id
}
const list = async (filter = '', token = stage.api.token) => {
  const query = filter && `?$filter=${encodeURIComponent(filter)}`
  return (await stage.api.call<Page<WorkItem>>('GET', `/work${query}`, { token })).body
}
const ofCase = async (caseGuid: string) =>
  (await stage.api.call<CaseWork>('GET', `/cases/${caseGuid}/work`)).body
const listReasons = async (caseGuid: string) =>
  (await ofCase(caseGuid)).items.map(({ reason, dueDate }) => `${reason} ${dueDate.slice(0, 10)}`)
const open = async (input: object = {}) =>
  (await stage.debtorWith({ dueDate: '2026-01-01', ...input })).caseGuids[0]!
const followUp = (caseGuid: string, date: string, nextAction: string | null = 'Call again') =>
  stage.api.call<CaseWork>('PUT', `/cases/${caseGuid}/nextaction`, {
    body: { nextAction, nextActionDate: `${date}T00:00:00Z` },
  })
const assign = (body: object) => stage.api.call<{ assigned: number }>('POST', '/work/assignments', { body })
const done = (items: Pick<WorkItem, 'caseGuid' | 'reason' | 'dueDate'>[]) =>
  stage.api.call<{ done: number }>('POST', '/work/done', {
    body: { items: items.map(({ caseGuid, reason, dueDate }) => ({ caseGuid, reason, dueDate })) },
  })
const take = async (token: string) =>
  (await stage.api.call<{ item: WorkItem | null }>('POST', '/work/next', { token })).body.item
/** Nothing of an earlier test is free or due. */
const clear = async () => {
  for (let items = await list(); items.total > 0; items = await list()) await done(items.value)
}

test('setNextAction brings a case back as work on its day, and listWork and getCaseWork say what to do', async () => {
  const caseGuid = await open({ principal: 1250 })
  assert.deepEqual((await ofCase(caseGuid)).items, [])
  const set = await followUp(caseGuid, '2026-01-20')
  assert.equal(set.status, 200, set.text)
  const { total, value } = await list()
  assert.equal(total, 1)
  const [item] = value
  assert.deepEqual(
    [item!.reason, item!.task, item!.dueDate, item!.daysLate, item!.remainingSum, item!.ownerGuid],
    ['FOLLOW_UP', 'Call again', '2026-01-20T00:00:00Z', -5, 1250, null],
  )
  assert.equal((await list('dueDate le 2026-01-15T00:00:00Z')).total, 0)
  await stage.setDate('2026-01-22')
  assert.deepEqual(
    (await list('dueDate le 2026-01-22T00:00:00Z')).value.map(({ daysLate }) => daysLate),
    [2],
  )
  assertProblem(await followUp(caseGuid, '2026-01-21'), 'invalid', /business date/)
  const undated = await stage.api.call('PUT', `/cases/${caseGuid}/nextaction`, {
    body: { nextAction: 'Call' },
  })
  assertProblem(undated, 'invalid', /nextActionDate|come back/)
  await clear()
  assert.equal((await ofCase(caseGuid)).nextAction, null)
  await stage.setDate(start)
})

test('a broken payment plan, a near limitation and a task of the strategy are work by themselves', async () => {
  const { api } = stage
  const broken = await stage.debtorWith({ dueDate: '2026-01-01' })
  const plan = { paymentPlanType: 1, numberOfPayments: 4, active: 1, cases: broken.caseGuids }
  assert.equal((await stage.plan(broken.debtorGuid, plan)).status, 201)
  const barred = await open()
  const [limited] = await api.sql<{ day: string }[]>`
    update debt_case set limitation_date = date '2026-06-10' where id = ${barred} returning (limitation_date - 90)::text as day`
  const task = { kind: 'task' as const, task: 'Visit the debtor' }
  const step = { code: 'VISIT', status: 'NEW' as const, afterDays: 10, actions: [task] }
  await insertStrategy(api.sql, {
    code: 'VISITS',
    name: 'Visits',
    source: '',
    unverified: false,
    steps: [step],
  })
  const party = await api.addParty('VISITED')
  await api.sql`update party set country_code = 'SE' where id = ${party}`
  await assignStrategy(api.sql, party, 'VISITS')
  const visited = await open({ clientGuid: party })
  await stage.setDate('2026-04-01')
  const origin = { ...contextOn('2026-04-01').origin, operation: 'day-end' }
  await runChunks(api.sql, checkPlans(), origin)
  await runChunks(api.sql, applyStrategies(), origin)
  assert.match((await listReasons(broken.caseGuids[0]!)).join(), /^PLAN_BROKEN 2026-\d\d-\d\d$/)
  assert.deepEqual(await listReasons(barred), [`LIMITATION_NEAR ${limited!.day}`])
  const [visit] = (await ofCase(visited)).items
  assert.deepEqual([visit?.reason, visit?.task], ['STRATEGY_TASK', 'Visit the debtor'])
  // A new plan ends the reason.
  assert.equal((await stage.plan(broken.debtorGuid, plan)).status, 201)
  assert.deepEqual(await listReasons(broken.caseGuids[0]!), [])
  await clear()
})

test('completeWork takes items out of the queue, until their reason arises again', async () => {
  const caseGuid = await open()
  await followUp(caseGuid, '2026-05-01')
  const { items } = await ofCase(caseGuid)
  assert.deepEqual((await done(items)).body, { done: 1 })
  assert.deepEqual((await done(items)).body, { done: 0 })
  assert.deepEqual((await ofCase(caseGuid)).items, [])
  await followUp(caseGuid, '2026-05-01', 'Ask once more')
  assert.deepEqual(await listReasons(caseGuid), ['FOLLOW_UP 2026-05-01'])
  const unknown = [{ caseGuid, reason: 'PLAN_BROKEN', dueDate: '2026-05-01T00:00:00Z' }]
  assert.deepEqual((await done(unknown)).body, { done: 0 })
  const trail = await stage.api.sql<{ type: string }[]>`
    select type from audit_entry where subject = ${caseGuid} and type <> 'case.registered' and entity = 'case' order by position`
  assert.deepEqual(
    trail.map(({ type }) => type),
    ['case.next_action_set', 'case.work_done', 'case.next_action_set'],
  )
  await clear()
})

test('assignWork sets handler and team of all cases or of none, and getWorkQueues counts them', async () => {
  const [first, second, third] = [await open(), await open({ principal: 500 }), await open({ principal: 70 })]
  const [one] = handlers
  for (const caseGuid of [first, second, third]) await followUp(caseGuid, '2026-05-01')
  const owners = (await stage.api.call<WorkOwners>('GET', '/work/owners')).body
  assert.ok(
    owners.users.some(({ userGuid }) => userGuid === one!.userGuid),
    'listWorkOwners has the handlers',
  )
  assert.deepEqual(owners.teams, [{ teamGuid: team, name: 'Team North' }])
  const both = { caseGuids: [first, second], ownerGuid: one!.userGuid, teamGuid: team }
  assert.deepEqual((await assign(both)).body, { assigned: 2 })
  assert.deepEqual((await assign(both)).body, { assigned: 0 })
  assertProblem(await assign({ ...both, ownerGuid: nowhere }), 'invalid', /handles cases/)
  assertProblem(await assign({ ...both, teamGuid: nowhere }), 'invalid', /access group/)
  assertProblem(await assign({ caseGuids: [first] }), 'invalid', /choose a handler or a team/)
  assertProblem(await assign({ caseGuids: [first, nowhere], ownerGuid: null }), 'not-found', /case/)
  assert.equal((await ofCase(first)).ownerName, 'Handler one')
  await stage.setDate('2026-05-12')
  const { body } = await stage.api.call<{ queues: WorkQueue[] }>('GET', '/work/queues')
  const mine = body.queues.find(({ ownerGuid }) => ownerGuid === one!.userGuid)!
  assert.deepEqual(
    [mine.teamName, mine.items, mine.dueToday, mine.late, mine.veryLate, mine.oldestDate],
    ['Team North', 2, 0, 0, 2, '2026-05-01T00:00:00Z'],
  )
  assert.deepEqual(mine.amounts, [{ currencyCode: 'SEK', remainingSum: 1500 }])
  const free = body.queues.find(({ ownerGuid, teamGuid }) => ownerGuid === null && teamGuid === null)!
  assert.deepEqual([free.items, free.amounts[0]!.remainingSum], [1, 70])
  const shared = { caseGuids: [first], ownerGuid: null }
  assert.deepEqual((await assign(shared)).body, { assigned: 1 })
  const { ownerGuid, teamGuid } = await ofCase(first)
  assert.deepEqual([ownerGuid, teamGuid], [null, team], 'the team keeps the case')
  await clear()
})

test('takeNextWork never gives two handlers who press at once the same case, and teams keep theirs', async () => {
  const cases = await Promise.all(Array.from({ length: 6 }, () => open()))
  const later = await open()
  const teams = await open()
  for (const caseGuid of [...cases, teams]) await followUp(caseGuid, '2026-05-12')
  await followUp(later, '2026-06-12')
  await assign({ caseGuids: [teams], teamGuid: team })
  const [one, two] = handlers
  const taken = await Promise.all(
    Array.from({ length: 10 }, (_, index) => take((index % 2 === 0 ? one : two)!.token)),
  )
  const rest = [await take(two!.token), await take(one!.token), await take(one!.token)]
  const got = [...taken, ...rest].filter((item) => item !== null)
  assert.deepEqual(got.map(({ caseGuid }) => caseGuid).toSorted(), [...cases, teams].toSorted())
  assert.equal(got.find(({ caseGuid }) => caseGuid === teams)!.ownerName, 'Handler one')
  assert.equal(
    (await list(`ownerGuid eq '${two!.userGuid}'`)).total +
      (await list(`ownerGuid eq '${one!.userGuid}'`)).total,
    7,
  )
  await clear()
})

test('a restricted caller sees and changes no work of other clients', async () => {
  const caseGuid = await open()
  await followUp(caseGuid, '2026-06-01')
  const { api } = stage
  const reader = await api.signIn(6, other)
  assertProblem(await api.call('GET', '/work', { token: reader }), 'forbidden', /case.write/)
  const token = await api.signIn(6, other)
  const group = makeId()
  await api.sql`insert into access_group (id, code, name, access_codes) values (${group}, 'CASES', 'Cases', '{case.read,case.write}')`
  await api.sql`insert into user_access_group values (${await newestUser()}, ${group})`
  assert.equal((await list('', token)).total, 0)
  assert.deepEqual((await api.call('GET', '/work/queues', { token })).body, { queues: [] })
  assert.deepEqual((await api.call('POST', '/work/next', { token })).body, { item: null })
  const wrong = [
    api.call('GET', `/cases/${caseGuid}/work`, { token }),
    api.call('PUT', `/cases/${caseGuid}/nextaction`, { token, body: {} }),
    api.call('POST', '/work/assignments', { token, body: { caseGuids: [caseGuid], ownerGuid: null } }),
    api.call('POST', '/work/done', {
      token,
      body: { items: [{ caseGuid, reason: 'FOLLOW_UP', dueDate: '2026-06-01T00:00:00Z' }] },
    }),
  ]
  for (const answer of await Promise.all(wrong)) assertProblem(answer, 'not-found', /no such case/)
  assert.equal((await list()).total, 1)
})

const sendObjection = (method: string, form: string, body: object) =>
  stage.api.call<{ objectionGuid: string }>(method, `/system/forms/objection/${form}`, { body })

test('an objection is work until it is decided', async () => {
  const caseGuid = await open()
  const input = { matter: 'OBJECTION', kind: 'PAID', reason: 'Paid in spring.' }
  const made = await sendObjection('POST', `create?id=${caseGuid}`, input)
  assert.equal(made.status, 201, made.text)
  const [reason, ...others] = await listReasons(caseGuid)
  assert.match(reason!, /^OBJECTION /)
  assert.deepEqual(others, [])
  const ruling = { decision: 'REJECTED', decisionReason: 'No payment was found.' }
  const decided = await sendObjection('PATCH', `decide?id=${made.body.objectionGuid}`, ruling)
  assert.equal(decided.status, 200, decided.text)
  assert.deepEqual(await listReasons(caseGuid), [])
})
