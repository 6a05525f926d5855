/** Creating, starting and stopping trials, who sees them, and which strategy a case gets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StrategyItem } from '../../../contract/collection/strategies.ts'
import type { TrialItem, TrialList, TrialResults } from '../../../contract/collection/trials.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import { assignArm } from '../../../core/trials/assignment.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { contextOn, makeDebtor } from '../../testing/records/cases.ts'
import { applyStrategies } from '../strategies/apply-strategies.ts'
import { loadShippedStrategies } from '../strategies/strategies.store.ts'

const start = '2026-03-02'
let api: TestApi
let client: string
before(async () => {
  api = await startApi()
  await api.setDate(start)
  for (const [code, subStatus] of [
    ['OURS', 'REMINDER_SENT'],
    ['SOFT', 'DEMAND_SENT'],
    ['FIRM', 'DEMAND_EXPIRED'],
  ])
    await createStrategy(code!, subStatus!)
  client = await api.addParty('CLIENT')
  await assign(client, 'OURS')
})
after(() => api.close())

/** A strategy whose only step shows which one it is. */
async function createStrategy(code: string, subStatus: string): Promise<void> {
  const status = subStatus === 'REMINDER_SENT' ? 'PRECOLLECTION' : 'AMICABLE'
  const actions = [{ kind: 'status', status, subStatus }]
  const steps = [{ code: 'STEP', status: 'NEW', afterDays: 3, actions }]
  const made = await api.call('POST', '/strategies', { body: { code, name: code, steps } })
  assert.equal(made.status, 201, made.text)
}
const assign = async (party: string, strategy: string) =>
  assert.equal((await api.call('PUT', `/clients/${party}/strategy`, { body: { strategy } })).status, 200)

const plan = {
  name: 'Softer',
  champion: 'OURS',
  challengers: [{ strategy: 'SOFT', share: 40 }],
  outcomeDays: 10,
  highestAmount: 500,
  currencyCode: 'SEK',
  plannedCases: 1000,
}
async function createTrial(more: object = {}): Promise<string> {
  const made = await api.call<TrialItem>('POST', '/trials', { body: { ...plan, ...more } })
  assert.equal(made.status, 201, made.text)
  return made.body.trialGuid
}
const move = (trialGuid: string, to: 'start' | 'stop', token = api.token) =>
  api.call<TrialItem>('POST', `/trials/${trialGuid}/${to}`, { token })
async function startTrial(more: object = {}): Promise<string> {
  const trialGuid = await createTrial(more)
  const started = await move(trialGuid, 'start')
  assert.equal(started.status, 200, started.text)
  return trialGuid
}
async function register(more: object = {}): Promise<{ caseGuid: string; debtorGuid: string }> {
  const given = (more as { debtorGuid?: string }).debtorGuid
  const debtorGuid = given ?? (await makeDebtor(api))
  const body = { clientGuid: client, debtorGuid, principal: 1000, currencyCode: 'SEK', ...more }
  const made = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', { body })
  assert.equal(made.status, 201, made.text)
  return { caseGuid: made.body.caseGuid, debtorGuid }
}
/** The trial and arm of each case; undefined without one. */
async function readArms(caseGuids: readonly string[]) {
  const rows = await api.sql<{ id: string; arm: string }[]>`
    select k.case_id as id, t.name || ' ' || d.arm as arm from trial_case k
      join trial_debtor d on d.trial_id = k.trial_id and d.debtor_id = k.debtor_id join trial t on t.id = k.trial_id
    where k.case_id = any(${[...caseGuids]}::uuid[])`
  return caseGuids.map((guid) => rows.find(({ id }) => id === guid)?.arm)
}
const applyOn = (date: string) =>
  runChunks(api.sql, applyStrategies(), { ...contextOn(date).origin, operation: 'day-end' })
async function readSubStatus(caseGuid: string): Promise<unknown> {
  const [row] = await api.sql`select sub_status from debt_case where id = ${caseGuid}`
  return row!['sub_status']
}

test('a draft is created, read, changed and deleted (createTrial, getTrial, listTrials, updateTrial, deleteTrial)', async () => {
  const made = await api.call<TrialItem>('POST', '/trials', { body: { ...plan, clientGuid: client } })
  assert.equal(made.status, 201, made.text)
  const { trialGuid, arms, ...rest } = made.body
  assert.deepEqual(
    arms.map(({ strategy, share, isChampion }) => [strategy, share, isChampion]),
    [
      ['OURS', 60, true],
      ['SOFT', 40, false],
    ],
  )
  assert.deepEqual(
    [rest.status, rest.clientName, rest.highestAmount, rest.cases, rest.startedDate, rest.seed],
    ['DRAFT', 'CLIENT', 500, 0, null, null],
  )
  const path = `/trials/${trialGuid}`
  const read = await api.call<TrialItem>('GET', path)
  assert.equal(read.headers.get('etag'), '"1"')
  const listed = await api.call<TrialList>('GET', '/trials')
  assert.ok(listed.body.value.some((one) => one.trialGuid === trialGuid))
  const headers = { 'if-match': '"1"' }
  const challengers = [
    { strategy: 'SOFT', share: 30 },
    { strategy: 'FIRM', share: 20 },
  ]
  const changed = await api.call<TrialItem>('PUT', path, { body: { challengers, clientGuid: '' }, headers })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(
    [changed.body.arms.map(({ share }) => share), changed.body.clientGuid, changed.body.name],
    [[50, 30, 20], null, 'Softer'],
  )
  assertProblem(
    await api.call('PUT', path, { body: { name: 'B' }, headers }),
    'precondition-failed',
    /has changed/,
  )
  assert.equal((await api.call('DELETE', path, { headers: { 'if-match': '"2"' } })).status, 200)
  assertProblem(await api.call('GET', path), 'not-found', /trial/)
  const events = await api.sql`select type from event where subject = ${trialGuid} order by sequence`
  assert.deepEqual(
    events.map(({ type }) => type as string),
    ['trial.created', 'trial.updated', 'trial.deleted'],
  )
})

const findErrors = async (more: object) => {
  const answer = await api.call<{ errors: Record<string, string[]> }>('POST', '/trials', {
    body: { ...plan, ...more },
  })
  assert.equal(answer.status, 400, answer.text)
  return Object.keys(answer.body.errors)
}

test('each wrong member of a trial is named', async () => {
  assert.deepEqual(await findErrors({ champion: 'NONE' }), ['champion'])
  assert.deepEqual(await findErrors({ name: ' ', outcomeDays: null }), ['name', 'outcomeDays'])
  assert.deepEqual(await findErrors({ clientGuid: '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70' }), ['clientGuid'])
  assert.deepEqual(await findErrors({ clientGuid: 'nobody' }), ['clientGuid'])
  assert.deepEqual(await findErrors({ challengers: [{ strategy: 'OURS', share: 10 }] }), [
    'challengers[0].strategy',
  ])
  assert.deepEqual(await findErrors({ challengers: [] }), ['challengers'])
  const whole = [
    { strategy: 'SOFT', share: 50 },
    { strategy: 'FIRM', share: 50 },
  ]
  assert.deepEqual(await findErrors({ challengers: whole }), ['challengers'])
  assert.deepEqual(await findErrors({ highestAmount: 0 }), ['highestAmount'])
  assert.deepEqual(await findErrors({ currencyCode: 'XXZ' }), ['currencyCode'])
})

test('the form names its own members, and a challenger can be taken out', async () => {
  const fields = { ...plan, challengers: undefined, challenger: 'SOFT', challengerShare: 30 }
  const refused = async (more: object) => {
    const body = { ...fields, ...more }
    const answer = await api.call<{ errors: object }>('POST', '/system/forms/trial/create', { body })
    assert.equal(answer.status, 400, answer.text)
    return Object.keys(answer.body.errors)
  }
  assert.deepEqual(await refused({ thirdChallenger: 'FIRM' }), ['thirdShare'])
  assert.deepEqual(await refused({ secondShare: 5 }), ['secondChallenger'])
  assert.deepEqual(await refused({ thirdChallenger: 'SOFT', thirdShare: 5 }), ['thirdChallenger'])
  assert.deepEqual(await refused({ thirdChallenger: 'FIRM', thirdShare: 80 }), ['challengerShare'])
  const body = { ...fields, thirdChallenger: 'FIRM', thirdShare: 5 }
  const made = await api.call<{ trialGuid: string }>('POST', '/system/forms/trial/create', { body })
  assert.equal(made.status, 201, made.text)
  const edit = `/system/forms/trial/edit?id=${made.body.trialGuid}`
  const taken = await api.call('PATCH', edit, { body: { secondChallenger: '', secondShare: null } })
  assert.equal(taken.status, 200, taken.text)
  const { body: read } = await api.call<TrialItem>('GET', `/trials/${made.body.trialGuid}`)
  assert.deepEqual(
    read.arms.map(({ strategy, share }) => `${strategy} ${share}`),
    ['OURS 70', 'SOFT 30'],
  )
  assert.equal((await api.call('DELETE', edit)).status, 200)
})

test('a running trial keeps its strategies, and no other trial of the champion runs for its clients (startTrial, stopTrial)', async () => {
  const unused = await createTrial({
    champion: 'FIRM',
    challengers: [{ strategy: 'SOFT', share: 40 }],
  })
  assertProblem(await move(unused, 'start'), 'conflict', /No client .* has the champion/)
  const trialGuid = await startTrial({ clientGuid: client })
  for (const clientGuid of [client, null]) {
    const second = await createTrial({ clientGuid, name: 'Second' })
    assertProblem(await move(second, 'start'), 'conflict', /“Softer”.*runs for the same clients/)
  }
  const other = await api.addParty('ELSEWHERE')
  await assign(other, 'OURS')
  const beside = await startTrial({ clientGuid: other, name: 'Beside' })
  assert.equal((await move(beside, 'stop')).status, 200)
  assertProblem(await api.call('PUT', `/trials/${trialGuid}`, { body: { name: 'B' } }), 'conflict', /draft/)
  assertProblem(await api.call('DELETE', `/trials/${trialGuid}`), 'conflict', /draft/)
  assertProblem(await move(trialGuid, 'start'), 'conflict', /started/)
  const { body: strategies } = await api.call<{ value: StrategyItem[] }>('GET', '/strategies')
  const soft = strategies.value.find(({ code }) => code === 'SOFT')!
  const change = { body: { name: 'Softest' } }
  const refused = await api.call('PUT', `/strategies/${soft.strategyGuid}`, change)
  assertProblem(refused, 'conflict', /part of the running trial “Softer”/)
  assert.equal((await move(trialGuid, 'stop')).status, 200)
  assertProblem(await move(trialGuid, 'stop'), 'conflict', /does not run/)
  assertProblem(await move(trialGuid, 'start'), 'conflict', /started/)
  assertProblem(await api.call('DELETE', `/strategies/${soft.strategyGuid}`), 'conflict', /part of the trial/)
  assert.equal((await api.call('PUT', `/strategies/${soft.strategyGuid}`, change)).status, 200)
})

test('of two trials that are started at once one runs, also where one is of a client below', async () => {
  const below = await api.addParty('UNDER')
  await api.sql`update party set parent_id = ${client} where id = ${below}`
  const both = [
    await createTrial({ clientGuid: client, name: 'Above' }),
    await createTrial({ clientGuid: below, name: 'Below' }),
  ]
  const answers = await Promise.all(both.map((one) => move(one, 'start')))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  for (const [at, { status }] of answers.entries()) if (status === 200) await move(both[at]!, 'stop')
})

test('a simulation of a challenger is on the cases of its arm', async () => {
  const { body: strategies } = await api.call<{ value: StrategyItem[] }>('GET', '/strategies')
  const { strategyGuid } = strategies.value.find(({ code }) => code === 'SOFT')!
  const countCases = async () => {
    const body = { strategyGuid, days: 0 }
    return (await api.call<{ cases: number }>('POST', '/strategies/simulate', { body })).body.cases
  }
  const earlier = await countCases()
  const trialGuid = await startTrial({ clientGuid: client, name: 'Simulated' })
  await registerInChallenger()
  const { body } = await api.call<TrialResults>('GET', `/trials/${trialGuid}/results`)
  await move(trialGuid, 'stop')
  assert.ok(body.arms[1]!.cases > 0)
  assert.equal(await countCases(), earlier + body.arms[1]!.cases)
})

test('a shipped strategy is not renewed while a trial of it runs', async () => {
  const party = await api.addParty('SHIPPED')
  await assign(party, 'NORDIC')
  const [earlier] = await api.sql`select version from strategy where code = 'NORDIC'`
  const trialGuid = await startTrial({ champion: 'NORDIC', clientGuid: party })
  // As if an earlier release had shipped other days.
  await api.sql`update strategy_step set after_days = after_days + 1
    where strategy_id = (select id from strategy where code = 'NORDIC')`
  await loadShippedStrategies(api.sql)
  const [during] = await api.sql`select version from strategy where code = 'NORDIC'`
  assert.deepEqual(during, earlier)
  await move(trialGuid, 'stop')
  await loadShippedStrategies(api.sql)
  const [afterwards] = await api.sql`select version from strategy where code = 'NORDIC'`
  assert.equal(afterwards!['version'], (earlier!['version'] as number) + 1)
})

test('debtors are assigned by the seed, which the end shows, and their cases follow the strategy of the arm', async () => {
  const trialGuid = await startTrial({ clientGuid: client, name: 'Steps' })
  const cases = []
  for (let at = 0; at < 16; at++) cases.push(await register())
  assert.equal((await api.call<TrialItem>('GET', `/trials/${trialGuid}`)).body.seed, null)
  const [stored] = await api.sql<{ seed: string }[]>`select seed from trial where id = ${trialGuid}`
  const { text: told } = await api.call('GET', `/trials/${trialGuid}/results`)
  assert.ok(!told.includes(stored!.seed))
  await applyOn(addDays(start, 3))
  const { body: stopped } = await move(trialGuid, 'stop')
  assert.equal(stopped.cases, 16)
  const arms = cases.map(({ debtorGuid }) => assignArm(stopped.seed!, debtorGuid, [60, 40]))
  assert.deepEqual(
    await readArms(cases.map(({ caseGuid }) => caseGuid)),
    arms.map((arm) => `Steps ${arm}`),
  )
  for (const [at, { caseGuid }] of cases.entries())
    assert.equal(await readSubStatus(caseGuid), arms[at] === 0 ? 'REMINDER_SENT' : 'DEMAND_SENT')
  const audited = await api.sql`select from audit_entry where changes::text like ${`%${stopped.seed!}%`}`
  assert.equal(audited.length, 0)
})

/** A debtor of the running trial whose first case is in the challenger's arm. */
async function registerInChallenger() {
  for (;;) {
    const made = await register()
    const [arm] = await readArms([made.caseGuid])
    if (arm?.endsWith(' 1')) return made
  }
}

test('a debtor’s cases go together: the first counts, and those beside an open case go with it', async () => {
  const untried = await register()
  const trialGuid = await startTrial({ clientGuid: client, name: 'Together' })
  const second = await register({ debtorGuid: untried.debtorGuid })
  assert.deepEqual(await readArms([untried.caseGuid, second.caseGuid]), [undefined, undefined])
  const first = await registerInChallenger()
  const later = await register({ debtorGuid: first.debtorGuid })
  const foreign = await register({ currencyCode: 'EUR' })
  const elsewhere = await api.addParty('OUTSIDE')
  const outside = await register({ clientGuid: elsewhere })
  assert.deepEqual(await readArms([later.caseGuid, foreign.caseGuid, outside.caseGuid]), [
    'Together 1',
    undefined,
    undefined,
  ])
  const [counted] = await api.sql`
    select case_id from trial_debtor where trial_id = ${trialGuid} and debtor_id = ${first.debtorGuid}`
  assert.equal(counted!['case_id'], first.caseGuid)
  await move(trialGuid, 'stop')
  const fresh = await register()
  const beside = await register({ debtorGuid: first.debtorGuid })
  assert.deepEqual(await readArms([fresh.caseGuid, beside.caseGuid]), [undefined, 'Together 1'])
  await applyOn(addDays(start, 3))
  assert.deepEqual(
    [
      await readSubStatus(beside.caseGuid),
      await readSubStatus(later.caseGuid),
      await readSubStatus(fresh.caseGuid),
    ],
    ['DEMAND_SENT', 'DEMAND_SENT', 'REMINDER_SENT'],
  )
})

test('two registrations of one debtor at once give one arm and one case that counts', async () => {
  const trialGuid = await startTrial({ clientGuid: client, name: 'At once' })
  for (let at = 0; at < 12; at++) {
    const debtorGuid = await makeDebtor(api)
    const made = await Promise.all(Array.from({ length: 4 }, () => register({ debtorGuid })))
    const arms = await readArms(made.map(({ caseGuid }) => caseGuid))
    assert.equal(new Set(arms).size, 1)
    assert.match(arms[0]!, /^At once [01]$/)
    const counted = await api.sql`
      select from trial_debtor where trial_id = ${trialGuid} and debtor_id = ${debtorGuid}`
    assert.equal(counted.length, 1)
  }
  await move(trialGuid, 'stop')
})

test('a client that gets another strategy takes its cases along', async () => {
  const trialGuid = await startTrial({ clientGuid: client, name: 'Along' })
  const { caseGuid } = await registerInChallenger()
  await assign(client, 'FIRM')
  const [unassigned] = await readArms([(await register()).caseGuid])
  assert.equal(unassigned, undefined)
  await applyOn(addDays(start, 3))
  assert.equal(await readSubStatus(caseGuid), 'DEMAND_EXPIRED')
  await assign(client, 'OURS')
  const { body } = await api.call<TrialResults>('GET', `/trials/${trialGuid}/results`)
  assert.ok(body.cases > 0)
  await move(trialGuid, 'stop')
})

test('a restricted user sees the trials of clients of whom none is hidden, and changes none', async () => {
  const below = await api.addParty('BELOW')
  await api.sql`update party set parent_id = ${client} where id = ${below}`
  const own = await createTrial({ clientGuid: below, name: 'Own' })
  const whole = await createTrial({ clientGuid: client, name: 'Whole' })
  const inUse = await api.call('DELETE', `/system/forms/client/edit?id=${below}`)
  assertProblem(inUse, 'conflict', /in use by 1 trials/)
  const everybody = await createTrial({ clientGuid: null, name: 'Everybody' })
  const token = await api.signIn(7, below)
  const { body } = await api.call<TrialList>('GET', '/trials', { token })
  assert.deepEqual(
    body.value.map(({ name }) => name),
    ['Own'],
  )
  assert.equal((await api.call('GET', `/trials/${own}/results`, { token })).status, 200)
  for (const hidden of [whole, everybody]) {
    assert.equal((await api.call('GET', `/trials/${hidden}`, { token })).status, 404)
    assert.equal((await api.call('GET', `/trials/${hidden}/results`, { token })).status, 404)
  }
  assert.equal((await move(own, 'start', token)).status, 403)
  assert.equal((await api.call('POST', '/trials', { body: plan, token })).status, 403)
  assert.equal((await move(own, 'start', await api.signIn(5))).status, 403)
})
