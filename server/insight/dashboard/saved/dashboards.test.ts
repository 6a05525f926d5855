/** Saved dashboards: own ones, shared ones, who sees and changes them, and figures of one client. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Dashboard } from '../../../../contract/insight/dashboards.ts'
import type { Collected, Portfolio } from '../../../../contract/insight/dashboard.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import { assertProblem } from '../../../testing/problem.ts'
import { addPerson } from '../../../testing/records/agency-people.ts'
import { openCases } from '../../../testing/records/cases.ts'

let api: TestApi
let stage: Awaited<ReturnType<typeof openCases>>
/** A case handler, and a user of the first client. */
let handler: string
let creditor: string

before(async () => {
  api = await startApi()
  stage = await openCases(api)
  handler = await api.signIn(3)
  creditor = await api.signIn(7, stage.client)
})
after(() => api.close())

const create = (body: object, token = api.token) =>
  api.call<Dashboard>('POST', '/dashboards', { body, token })
const made = async (body: object, token = api.token) => {
  const answer = await create({ tiles: ['collected'], ...body }, token)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const change = (guid: string, body: object, token = api.token, headers: Record<string, string> = {}) =>
  api.call<Dashboard>('PATCH', `/dashboards/${guid}`, { body, token, headers })
const read = (guid: string, token = api.token) => api.call<Dashboard>('GET', `/dashboards/${guid}`, { token })
const remove = (guid: string, token = api.token) => api.call('DELETE', `/dashboards/${guid}`, { token })
const names = async (token = api.token) =>
  (await api.call<{ value: Dashboard[] }>('GET', '/dashboards', { token })).body.value.map(({ name }) => name)

test('a user saves, changes and deletes an own dashboard that nobody else sees (createDashboard)', async () => {
  const own = await made({ name: ' Mine ', tiles: ['kept', 'collected', 'openCases'] }, handler)
  assert.deepEqual(
    [own.name, own.tiles, own.months, own.clientGuid, own.shared, own.mayChange, own.isDefault],
    ['Mine', ['kept', 'collected', 'openCases'], 12, null, false, true, false],
  )
  assert.deepEqual(await names(handler), ['Mine'])
  assert.deepEqual(await names(), [])
  for (const answer of [
    await read(own.dashboardGuid),
    await change(own.dashboardGuid, { months: 6 }),
    await remove(own.dashboardGuid),
  ])
    assertProblem(answer, 'not-found', /dashboard/)
  const changed = await change(own.dashboardGuid, { tiles: ['collected', 'kept'], months: 6 }, handler)
  assert.deepEqual(
    [changed.body.tiles, changed.body.months, changed.headers.get('etag')],
    [['collected', 'kept'], 6, '"2"'],
  )
  assert.equal((await remove(own.dashboardGuid, handler)).status, 200)
  assertProblem(await read(own.dashboardGuid, handler), 'not-found', /dashboard/)
})

test('a change keeps to the version that was read (updateDashboard)', async () => {
  const { dashboardGuid } = await made({ name: 'Versions' })
  const stale = await change(dashboardGuid, { months: 6 }, api.token, { 'if-match': '"9"' })
  assertProblem(stale, 'precondition-failed', /"1"|ETag is now/)
  const same = await change(dashboardGuid, { name: 'Versions' })
  assert.equal(same.headers.get('etag'), '"1"')
  assert.equal((await change(dashboardGuid, { months: 6 }, api.token, { 'if-match': '"1"' })).status, 200)
  await remove(dashboardGuid)
})

test('an administrator shares a dashboard with a role, which sees it first (listDashboards, getDashboard)', async () => {
  const shared = await made({ name: 'Handlers', roles: [3], defaultRoles: [3] })
  assert.deepEqual([shared.shared, shared.roles, shared.defaultRoles], [true, [3], [3]])
  const { body: seen } = await read(shared.dashboardGuid, handler)
  // Whom else it is shared with is for those who share.
  assert.deepEqual([seen.isDefault, seen.mayChange, seen.roles, seen.defaultRoles], [true, false, [], []])
  assertProblem(await read(shared.dashboardGuid, creditor), 'not-found', /dashboard/)
  assertProblem(await change(shared.dashboardGuid, { months: 6 }, handler), 'forbidden', /report\.admin/)
  assertProblem(await remove(shared.dashboardGuid, handler), 'forbidden', /report\.admin/)
  assertProblem(
    await create({ name: 'To all', tiles: ['kept'], roles: [5] }, handler),
    'forbidden',
    /report\.admin/,
  )
  const taken = await create({ name: 'Another', tiles: ['kept'], roles: [3], defaultRoles: [3] })
  assertProblem(taken, 'conflict', /Role 3 has the default “Handlers”/)
  // Without roles it is the administrator's own.
  const own = await change(shared.dashboardGuid, { roles: [], defaultRoles: [] })
  assert.equal(own.body.shared, false)
  assert.deepEqual(await names(handler), [])
  await remove(shared.dashboardGuid)
})

test('a dashboard is shared with an access group', async () => {
  const group = await api.call<{ accessGroupGuid: string }>('POST', '/system/forms/accessgroup/create', {
    body: { code: 'DESK', name: 'Desk', accessCodes: 'report.read' },
  })
  assert.equal(group.status, 201, group.text)
  const { accessGroupGuid } = group.body
  const { dashboardGuid } = await made({ name: 'The desk', groupGuids: [accessGroupGuid] })
  assert.deepEqual(await names(handler), [])
  await api.sql`
    insert into user_access_group
    select u.id, ${accessGroupGuid} from app_user u where u.user_role = 3`
  assert.deepEqual(await names(handler), ['The desk'])
  const unknown = await change(dashboardGuid, { groupGuids: [dashboardGuid] })
  assertProblem(unknown, 'unprocessable', /access groups/)
  await remove(dashboardGuid)
})

test('users of clients see what is shared with them, of their clients alone', async () => {
  const theirs = await made({
    name: 'Your cases',
    tiles: ['openCases', 'collected'],
    roles: [7],
    defaultRoles: [7],
  })
  const ours = await made({ name: 'First client', roles: [7], clientGuid: stage.client })
  const others = await made({ name: 'Second client', roles: [7], clientGuid: stage.other })
  assert.deepEqual(await names(creditor), ['First client', 'Your cases'])
  assertProblem(await read(others.dashboardGuid, creditor), 'not-found', /dashboard/)
  assert.equal((await read(theirs.dashboardGuid, creditor)).body.isDefault, true)
  assertProblem(await create({ name: 'Own', tiles: ['kept'] }, creditor), 'forbidden', /agency’s users/)
  assertProblem(await change(ours.dashboardGuid, { name: 'x' }, creditor), 'forbidden', /report\.admin/)
  // The agency's costs are neither shared with them nor shown.
  const costs = { tiles: ['costs', 'collected'] }
  assertProblem(await change(theirs.dashboardGuid, costs), 'unprocessable', /Leave out costs/)
  for (const { dashboardGuid } of [theirs, ours, others]) await remove(dashboardGuid)
})

/** The principal of the open cases. */
const portfolio = async (query: string, token = api.token) =>
  (await api.call<Portfolio>('GET', `/dashboard/portfolio${query}`, { token })).body.value.reduce(
    (sum, row) => sum + row.principal,
    0,
  )
const collected = async (clientGuid: string) =>
  (await api.call<Collected>('GET', `/dashboard/collected?clientGuid=${clientGuid}`)).body.value

test('figures of a client are those of its cases, within the caller’s restriction', async () => {
  await stage.register({ principal: 100 })
  await stage.register({ principal: 70, clientGuid: stage.other })
  assert.equal(await portfolio(''), 170)
  assert.equal(await portfolio(`?clientGuid=${stage.client}`), 100)
  assert.equal(await portfolio(`?clientGuid=${stage.other}`), 70)
  assert.equal(await portfolio(`?clientGuid=${stage.client}`, creditor), 100)
  for (const figures of ['portfolio', 'collected', 'promises', 'plans', 'liquidity']) {
    const path = `/dashboard/${figures}?clientGuid=${stage.other}`
    assert.equal((await api.call('GET', path)).status, 200, figures)
    assertProblem(await api.call('GET', path, { token: creditor }), 'not-found', /client/)
  }
  const paid = await stage.register({ principal: 50, clientGuid: stage.other })
  await stage.pay({ caseGuid: paid.caseGuid, amount: 50, valueDate: '2026-06-15' })
  assert.deepEqual(
    [(await collected(stage.client)).length, (await collected(stage.other))[0]!.amount],
    [0, 50],
  )
})

const refused: [string, object, 'invalid' | 'unprocessable' | 'not-found', RegExp][] = [
  ['without a name', { name: ' ', tiles: ['kept'] }, 'invalid', /name/],
  ['without a tile', { name: 'x', tiles: [] }, 'invalid', /tiles/],
  ['with an unknown tile', { name: 'x', tiles: ['weather'] }, 'invalid', /tiles/],
  ['with a tile twice', { name: 'x', tiles: ['kept', 'kept'] }, 'invalid', /tiles/],
  ['with two months', { name: 'x', tiles: ['kept'], months: 2 }, 'invalid', /months/],
  [
    'as the default of others',
    { name: 'x', tiles: ['kept'], roles: [3], defaultRoles: [5] },
    'unprocessable',
    /role 5/,
  ],
  [
    'of an unknown client',
    { name: 'x', tiles: ['kept'], clientGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70' },
    'not-found',
    /client/,
  ],
]
for (const [what, body, kind, message] of refused)
  test(`createDashboard refuses a dashboard ${what}`, async () => {
    assertProblem(await create(body), kind, message)
  })

test('a name is used once among a user’s own dashboards, and once among the shared ones', async () => {
  const first = await made({ name: 'Morning' })
  assertProblem(await create({ name: 'MORNING', tiles: ['kept'] }), 'conflict', /“MORNING” already/)
  const shared = await made({ name: 'Morning', roles: [3] })
  assertProblem(await create({ name: 'Morning', tiles: ['kept'], roles: [5] }), 'conflict', /already/)
  for (const { dashboardGuid } of [first, shared]) await remove(dashboardGuid)
})

test('changes of a dashboard are events and in the audit trail (deleteDashboard)', async () => {
  const { dashboardGuid } = await made({ name: 'Traced' })
  await change(dashboardGuid, { months: 24 })
  await remove(dashboardGuid)
  const rows = await api.sql<{ type: string }[]>`
    select type from audit_entry where subject = ${dashboardGuid} order by sequence`
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['dashboard.created', 'dashboard.updated', 'dashboard.deleted'],
  )
})

/** Saves as many at once, by SQL, as one short of the limit. */
const fill = (count: number, owner: string | null) => api.sql`
  insert into dashboard (id, name, tiles, months, user_id)
  select gen_random_uuid(), 'Filler ' || n, '{kept}', 12, ${owner}::uuid from generate_series(1, ${count}::int) n`

test('a user has at most 50 dashboards, the agency 200, also of those that come from the other (updateDashboard)', async () => {
  const administrator = await addPerson(api, 2)
  const save = (body: object) =>
    administrator.call<Dashboard>('POST', '/dashboards', { body: { tiles: ['kept'], ...body } })
  const shareAgain = (guid: string, body: object) =>
    administrator.call('PATCH', `/dashboards/${guid}`, { body })
  const shared = await save({ name: 'Shared', roles: [3] })
  await fill(49, administrator.userGuid)
  const answers = await Promise.all([save({ name: 'One' }), save({ name: 'Two' })])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422])
  const unshared = await shareAgain(shared.body.dashboardGuid, { roles: [] })
  assertProblem(unshared, 'unprocessable', /You have 50 dashboards/)
  await fill(199, null)
  assertProblem(await save({ name: 'More', roles: [3] }), 'unprocessable', /200 shared dashboards/)
  const own = answers.find(({ status }) => status === 201)!.body
  assertProblem(await shareAgain(own.dashboardGuid, { roles: [3] }), 'unprocessable', /200 shared/)
  assert.equal((await shareAgain(own.dashboardGuid, { months: 6 })).status, 200)
  await api.sql`delete from dashboard`
})

test('what is no guid of a client is told, for figures and dashboards alike', async () => {
  assertProblem(await create({ name: 'x', tiles: ['kept'], clientGuid: 'CLIENT' }), 'invalid', /clientGuid/)
  for (const figures of ['portfolio', 'collected', 'promises', 'plans', 'liquidity', 'costs'])
    assertProblem(await api.call('GET', `/dashboard/${figures}?clientGuid=CLIENT`), 'invalid', /clientGuid/)
})
