/** The form `case/handling` over HTTP: handler, team and next action, each alone, with the rules of their operations. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CaseWork, WorkItem, WorkOwners } from '../../contract/work/work.ts'
import type { Page } from '../platform/database/list.ts'
import { makeId } from '../platform/database/make-id.ts'
import { assertProblem } from '../testing/problem.ts'
import { nowhere } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'

const start = '2026-01-15'
let stage: PlanStage
let handler: { token: string; userGuid: string }
const team = makeId()

before(async () => {
  stage = await openPlanStage(start)
  handler = await addUser(3)
  const { sql } = stage.api
  await sql`insert into access_group (id, code, name, access_codes) values (${team}, 'NORTH', 'Team North', '{}')`
  await sql`insert into user_access_group values (${handler.userGuid}, ${team})`
})
after(() => stage.api.close())

async function addUser(role: 3 | 6, partyGuid?: string) {
  const token = await stage.api.signIn(role, partyGuid)
  const [user] = await stage.api.sql<{ id: string }[]>`select id from app_user order by id desc limit 1`
  return { token, userGuid: user!.id }
}
/** A user of a client who may change its cases. */
async function addRestricted(partyGuid: string): Promise<string> {
  const { token, userGuid } = await addUser(6, partyGuid)
  const group = makeId()
  const { sql } = stage.api
  await sql`insert into access_group (id, code, name, access_codes) values
    (${group}, ${group}, 'Cases', '{case.read,case.write,lookup.read}')`
  await sql`insert into user_access_group values (${userGuid}, ${group})`
  return token
}
const open = async (input: object = {}) =>
  (await stage.debtorWith({ dueDate: '2026-01-01', ...input })).caseGuids[0]!
const form = (caseGuid: string) => `/system/forms/case/handling?id=${caseGuid}`
const store = (caseGuid: string, body: object, options: object = {}) =>
  stage.api.call('PATCH', form(caseGuid), { body, ...options })
const read = async (caseGuid: string) =>
  (await stage.api.call<CaseWork>('GET', `/cases/${caseGuid}/work`)).body
const listTrail = async (caseGuid: string) =>
  (
    await stage.api.sql<{ type: string }[]>`
      select type from audit_entry where subject = ${caseGuid} and entity = 'case' order by position`
  ).map(({ type }) => type)

test('each field is stored alone, with the events of its operation, and an empty one is cleared', async () => {
  const caseGuid = await open()
  const { userGuid, token } = handler
  assert.equal((await store(caseGuid, { ownerGuid: userGuid.toUpperCase() }, { token })).status, 200)
  assert.equal((await store(caseGuid, { teamGuid: team })).status, 200)
  const next = { nextAction: ' Call again ', nextActionDate: '2026-01-20T00:00:00Z' }
  assert.equal((await store(caseGuid, next)).status, 200)
  const { items, ...handling } = await read(caseGuid)
  assert.deepEqual(
    [handling.ownerGuid, handling.teamName, handling.nextAction, handling.nextActionDate],
    [userGuid, 'Team North', 'Call again', '2026-01-20T00:00:00Z'],
  )
  assert.deepEqual(
    items.map(({ reason, nextAction, nextActionDate }) => [reason, nextAction, nextActionDate]),
    [['FOLLOW_UP', 'Call again', '2026-01-20T00:00:00Z']],
  )
  const values = await stage.api.call('GET', `${form(caseGuid)}&initialValues=true`)
  assert.deepEqual(values.body, {
    caseGuid,
    ownerGuid: userGuid,
    teamGuid: team,
    nextAction: 'Call again',
    nextActionDate: '2026-01-20T00:00:00Z',
  })
  const trail = ['case.registered', 'case.assigned', 'case.assigned', 'case.next_action_set']
  assert.deepEqual(await listTrail(caseGuid), trail)
  assert.equal((await store(caseGuid, { ownerGuid: userGuid, nextAction: 'Call again' })).status, 200)
  assert.deepEqual(await listTrail(caseGuid), trail, 'what is the same is no change')
  const cleared = { ownerGuid: '', teamGuid: null, nextAction: '', nextActionDate: '' }
  assert.equal((await store(caseGuid, cleared)).status, 200)
  const empty = await read(caseGuid)
  assert.deepEqual([empty.ownerGuid, empty.teamGuid, empty.nextAction, empty.items], [null, null, null, []])
})

test('the new handler is notified, and the list of work can be filtered by the next action', async () => {
  const caseGuid = await open()
  const body = { ownerGuid: handler.userGuid, nextAction: 'Visit', nextActionDate: '2026-02-01T00:00:00Z' }
  assert.equal((await store(caseGuid, body)).status, 200)
  const told = await stage.api.call<{ value: { caseGuid: string | null }[] }>(
    'GET',
    '/users/current/notifications',
    { token: handler.token },
  )
  assert.ok(
    told.body.value.some((one) => one.caseGuid === caseGuid),
    told.text,
  )
  const filter = encodeURIComponent("nextAction eq 'Visit' and nextActionDate eq 2026-02-01T00:00:00Z")
  const { body: found } = await stage.api.call<Page<WorkItem>>('GET', `/work?$filter=${filter}`)
  assert.deepEqual(
    found.value.map((item) => item.caseGuid),
    [caseGuid],
  )
})

test('unknown handlers and teams and a past day are refused, all at once, and nothing is stored', async () => {
  const caseGuid = await open()
  const creditor = await addUser(6, await stage.api.addParty('CREDITOR'))
  const wrong = {
    ownerGuid: nowhere,
    teamGuid: nowhere,
    nextAction: 'Call',
    nextActionDate: '2026-01-14T00:00:00Z',
  }
  const refused = await stage.api.call<{ errors: object }>('PATCH', form(caseGuid), { body: wrong })
  assertProblem(refused, 'invalid', /handles cases/)
  assert.deepEqual(Object.keys(refused.body.errors), ['ownerGuid', 'teamGuid', 'nextActionDate'])
  assertProblem(await store(caseGuid, { ownerGuid: creditor.userGuid }), 'invalid', /handles cases/)
  assertProblem(await store(caseGuid, { nextAction: 'Call' }), 'invalid', /come back/)
  assert.deepEqual(await listTrail(caseGuid), ['case.registered'])
})

test('what to do is changed on a day that has passed, but a new day is not before the business date', async () => {
  const caseGuid = await open()
  await store(caseGuid, { nextAction: 'Call', nextActionDate: '2026-01-16T00:00:00Z' })
  await stage.setDate('2026-01-20')
  assert.equal((await store(caseGuid, { nextAction: 'Write' })).status, 200)
  const { nextAction, nextActionDate } = await read(caseGuid)
  assert.deepEqual([nextAction, nextActionDate], ['Write', '2026-01-16T00:00:00Z'])
  const earlier = await store(caseGuid, { nextActionDate: '2026-01-19T00:00:00Z' })
  assertProblem(earlier, 'invalid', /business date/)
  await stage.setDate(start)
})

test('a stale version is refused', async () => {
  const caseGuid = await open()
  const { headers } = await stage.api.call('GET', `${form(caseGuid)}&initialValues=true`)
  const ifMatch = headers.get('etag')!
  assert.equal((await store(caseGuid, { teamGuid: team }, { headers: { 'if-match': ifMatch } })).status, 200)
  const stale = await store(caseGuid, { teamGuid: '' }, { headers: { 'if-match': ifMatch } })
  assertProblem(stale, 'precondition-failed', /version|changed/)
  assert.equal((await read(caseGuid)).teamGuid, team)
})

test('a restricted user assigns cases of visible clients to visible users only', async () => {
  const [own, other] = [await stage.api.addParty('OWN'), await stage.api.addParty('OTHER')]
  const caseGuid = await open({ clientGuid: own })
  const token = await addRestricted(own)
  const foreign = await addRestricted(other)
  const body = { ownerGuid: handler.userGuid }
  assertProblem(await store(caseGuid, body, { token }), 'invalid', /handles cases/)
  assertProblem(await store(caseGuid, body, { token: foreign }), 'not-found', /no such case/)
  const values = await stage.api.call('GET', `${form(caseGuid)}&initialValues=true`, { token: foreign })
  assertProblem(values, 'not-found', /no such case/)
  const next = { nextAction: 'Ask', nextActionDate: '2026-01-20T00:00:00Z' }
  assert.equal((await store(caseGuid, next, { token })).status, 200)
  const names = await stage.api.call('POST', '/system/lookups/casehandler', { body: {}, token })
  assert.deepEqual(names.body, { values: [] })
})

test('a handler restricted to clients chooses themselves and their team', async () => {
  const own = await stage.api.addParty('HELD')
  const caseGuid = await open({ clientGuid: own })
  const { token, userGuid } = await addUser(3)
  const { sql } = stage.api
  await sql`insert into user_client_restriction (user_id, party_id, include_sub_parties) values (${userGuid}, ${own}, true)`
  const ownTeam = makeId()
  await sql`insert into access_group (id, code, name, access_codes) values (${ownTeam}, 'HELD', 'Team Held', '{}')`
  await sql`insert into user_access_group values (${userGuid}, ${ownTeam})`
  const search = (code: string) =>
    stage.api.call<{ values: { lookupKey: string }[] }>('POST', `/system/lookups/${code}`, {
      body: {},
      token,
    })
  const keys = async (code: string) => (await search(code)).body.values.map(({ lookupKey }) => lookupKey)
  assert.deepEqual(await keys('casehandler'), [userGuid])
  assert.deepEqual(await keys('caseteam'), [ownTeam])
  const owners = await stage.api.call<WorkOwners>('GET', '/work/owners', { token })
  assert.deepEqual(
    owners.body.users.map((user) => user.userGuid),
    [userGuid],
  )
  assert.equal((await store(caseGuid, { ownerGuid: userGuid, teamGuid: ownTeam }, { token })).status, 200)
  assert.deepEqual((await read(caseGuid)).ownerGuid, userGuid)
})

test('the queue and its form tell creditors nothing of handlers, and their records have none', async () => {
  const own = await stage.api.addParty('SEEN')
  const caseGuid = await open({ clientGuid: own })
  await store(caseGuid, { ownerGuid: handler.userGuid, teamGuid: team })
  const token = await stage.api.signIn(6, own)
  for (const path of [`/cases/${caseGuid}/work`, '/work', `${form(caseGuid)}&initialValues=true`])
    assertProblem(await stage.api.call('GET', path, { token }), 'forbidden', /case\.write/)
  for (const path of [
    `/cases/${caseGuid}`,
    '/cases',
    `/system/forms/case/edit?id=${caseGuid}&initialValues=true`,
  ]) {
    const { status, text } = await stage.api.call('GET', path, { token })
    assert.ok(status === 200 || status === 403, text)
    assert.doesNotMatch(text, new RegExp(`${handler.userGuid}|${team}|Team North`), path)
  }
})

test('without case.write there is neither the form nor its lookups', async () => {
  const caseGuid = await open()
  const token = await stage.api.signIn(6)
  assertProblem(await store(caseGuid, { teamGuid: team }, { token }), 'forbidden', /case\.write/)
  const values = await stage.api.call('GET', `${form(caseGuid)}&initialValues=true`, { token })
  assertProblem(values, 'forbidden', /case\.write/)
  const names = await stage.api.call('POST', '/system/lookups/caseteam', { body: {}, token })
  assertProblem(names, 'forbidden', /case\.write/)
})

test('the lookups offer the handlers and teams of listWorkOwners to users who may not list users', async () => {
  const search = async (code: string, searchStr: string) => {
    const answer = await stage.api.call<{ values: { lookupKey: string }[] }>(
      'POST',
      `/system/lookups/${code}`,
      { body: { searchStr }, token: handler.token },
    )
    return answer.body.values.map(({ lookupKey }) => lookupKey)
  }
  const { sql } = stage.api
  await sql`update app_user set full_name = 'Åsa Handlund' where id = ${handler.userGuid}`
  assert.deepEqual(await search('casehandler', 'handlund'), [handler.userGuid])
  assert.deepEqual(await search('caseteam', 'north'), [team])
  await sql`update app_user set disabled = true where id = ${handler.userGuid}`
  const { body } = await stage.api.call<{ values: object[] }>('POST', '/system/lookups/casehandler', {
    body: { searchStr: 'handlund' },
  })
  assert.deepEqual(body.values, [])
  const teams = await stage.api.call<{ values: object[] }>('POST', '/system/lookups/caseteam', { body: {} })
  assert.deepEqual(
    teams.body.values.filter((one) => JSON.stringify(one).includes(team)),
    [],
    'nobody of the team handles cases any more',
  )
})
