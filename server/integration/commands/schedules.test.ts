import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Problem } from '../../../contract/platform/problem.ts'
import type { Schedule } from '../../../contract/platform/schedules.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { runJobs, waitForJob } from '../../testing/jobs.ts'
import { startDueSchedules } from './schedules.changes.ts'

const create = '/system/forms/schedule/create'
const edit = '/system/forms/schedule/edit'
const zone = 'Europe/Stockholm'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

type Made = Pick<Schedule, 'scheduleGuid'>

async function make(body: object): Promise<Made> {
  const answer = await api.call<Made>('POST', create, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function read(scheduleGuid: string): Promise<Schedule | undefined> {
  const { body } = await api.call<{ value: Schedule[] }>(
    'GET',
    `/schedules?$filter=scheduleGuid eq ${scheduleGuid}`,
  )
  return body.value[0]
}

const change = (scheduleGuid: string, body: object, headers = {}) =>
  api.call<Problem>('PATCH', `${edit}?id=${scheduleGuid}`, { body, headers })

/** Makes a schedule due, as if its time had just passed. */
const makeDue = (scheduleGuid: string, ago = '1 minute') =>
  api.sql`update command_schedule set next_run_at = now() - ${ago}::interval where id = ${scheduleGuid}`

const findJobs = async (command: string) => {
  const { body } = await api.call<{ value: Job[] }>(
    'GET',
    `/jobs?$filter=name eq '${command}'&$orderby=createdAt`,
  )
  return body.value
}

test('a new schedule has the time of its next run, computed from now', async () => {
  const { scheduleGuid } = await make({
    command: 'verify-ledger',
    cron: ' 30  4 * * SUN',
    description: 'Weekly',
  })
  const made = (await read(scheduleGuid))!
  assert.deepEqual([made.cron, made.enabled, made.argument, made.lastRunAt], ['30 4 * * SUN', true, [], null])
  const next = new Date(made.nextRunAt!)
  assert.ok(next > new Date() && next < new Date(Date.now() + 8 * 86_400_000))
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  assert.equal(shown.format(next), 'Sun 04:30')
  const { body } = await api.call<{ value: { entity: string; action: string }[] }>(
    'GET',
    `/audit?$filter=entityGuid eq ${scheduleGuid}`,
  )
  assert.deepEqual(
    body.value.map(({ entity, action }) => [entity, action]),
    [['schedule', 'created']],
  )
})

test('a schedule takes the arguments of its command', async () => {
  const made = await make({ command: 'apply-strategies', argument: 'dry-run', cron: '0 3 * * *' })
  assert.deepEqual((await read(made.scheduleGuid))!.argument, ['dry-run'])
})

const refused: [what: string, body: object, member: string, says: RegExp][] = [
  ['no command', { cron: '0 3 * * *' }, 'command', /./],
  ['no time', { command: 'retry-jobs' }, 'cron', /./],
  ['an unknown command', { command: 'shutdown', cron: '0 3 * * *' }, 'command', /./],
  ['a command of one file', { command: 'import', cron: '0 3 * * *' }, 'command', /run by itself: day-end/],
  ['six fields', { command: 'retry-jobs', cron: '* * * * * *' }, 'cron', /five fields/],
  ['a minute that there is not', { command: 'retry-jobs', cron: '60 * * * *' }, 'cron', /minute: 60/],
  [
    'a field that depends on when it is read',
    { command: 'retry-jobs', cron: '? * * * *' },
    'cron',
    /five fields/,
  ],
  ['a day that never comes', { command: 'retry-jobs', cron: '0 0 30 2 *' }, 'cron', /never comes/],
  [
    'an argument that the command does not take',
    { command: 'retry-jobs', argument: 'all', cron: '0 3 * * *' },
    'argument',
    /takes no arguments/,
  ],
  [
    'a word that it does not know',
    { command: 'apply-strategies', argument: 'wet-run', cron: '0 3 * * *' },
    'argument',
    /one of dry-run/,
  ],
  [
    'a date, which would be the same each day',
    { command: 'day-end', argument: '2026-06-14', cron: '0 3 * * *' },
    'argument',
    /must be left out/,
  ],
  ['a time of 200 letters', { command: 'retry-jobs', cron: '*'.repeat(200) }, 'cron', /./],
]
for (const [what, body, member, says] of refused) {
  test(`a schedule with ${what} is refused`, async () => {
    const answer = await api.call<Problem>('POST', create, { body })
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.body.errors?.[member]?.join(' ') ?? '', says, answer.text)
  })
}

test('a disabled schedule has no next run; enabling it computes the next run from now', async () => {
  const { scheduleGuid } = await make({ command: 'retry-jobs', cron: '*/5 * * * *' })
  assert.equal((await change(scheduleGuid, { enabled: false }, { 'if-match': '"1"' })).status, 200)
  assert.equal((await read(scheduleGuid))!.nextRunAt, null)
  await startDueSchedules(api.sql, zone)
  assert.deepEqual(await findJobs('retry-jobs'), [])
  assert.equal((await change(scheduleGuid, { enabled: true })).headers.get('etag'), '"3"')
  assert.ok(new Date((await read(scheduleGuid))!.nextRunAt!) > new Date())
  assert.equal((await change(scheduleGuid, { enabled: false }, { 'if-match': '"1"' })).status, 412)
})

test('changing the description keeps a run that is due', async () => {
  const { scheduleGuid } = await make({ command: 'retry-jobs', cron: '0 3 1 1 *' })
  await makeDue(scheduleGuid)
  const due = (await read(scheduleGuid))!.nextRunAt
  await change(scheduleGuid, { description: 'Ours' })
  assert.equal((await read(scheduleGuid))!.nextRunAt, due)
  await change(scheduleGuid, { cron: '0 3 2 1 *' })
  assert.ok(new Date((await read(scheduleGuid))!.nextRunAt!) > new Date())
})

test('several nodes run a schedule once; missed runs are merged; it waits while its command runs', async () => {
  const { scheduleGuid } = await make({ command: 'purge-expired', cron: '0 3 * * *' })
  await makeDue(scheduleGuid, '30 days')
  await Promise.all([1, 2, 3, 4].map(() => startDueSchedules(api.sql, zone)))
  const [first, ...others] = await findJobs('purge-expired')
  assert.deepEqual(others, [])
  assert.deepEqual([first!.status, first!.requestedBy], ['waiting', null])
  const ran = await read(scheduleGuid)
  assert.equal(ran!.lastJobId, first!.jobId)
  assert.ok(new Date(ran!.nextRunAt!) > new Date())

  await makeDue(scheduleGuid)
  await startDueSchedules(api.sql, zone)
  assert.equal((await findJobs('purge-expired')).length, 1, 'the first has not ended')
  const runner = await runJobs(api)
  assert.equal((await waitForJob(api, first!.jobId)).status, 'completed')
  await runner.stop()
  await startDueSchedules(api.sql, zone)
  assert.equal((await findJobs('purge-expired')).length, 2)
})

test('a node starts due schedules by itself', async () => {
  const { scheduleGuid } = await make({ command: 'rebuild-search', cron: '0 3 * * *' })
  await makeDue(scheduleGuid)
  const runner = await runJobs(api, { schedulers: api.app.jobs.schedulers })
  let jobId: string | null = null
  while (jobId === null) jobId = (await read(scheduleGuid))!.lastJobId
  assert.equal((await waitForJob(api, jobId)).status, 'completed')
  await runner.stop()
})

test('a deleted schedule does not run again', async () => {
  const { scheduleGuid } = await make({ command: 'check-payment-plans', cron: '0 3 * * *' })
  await makeDue(scheduleGuid)
  const place = `${edit}?id=${scheduleGuid}`
  assert.equal((await api.call('DELETE', place, { headers: { 'if-match': '"9"' } })).status, 412)
  assert.equal((await api.call('DELETE', place)).status, 200)
  await startDueSchedules(api.sql, zone)
  assert.deepEqual(await findJobs('check-payment-plans'), [])
  assert.equal((await api.call('DELETE', place)).status, 404)
})

test('listSchedules and the form need an administrator', async () => {
  const token = await api.signIn(3)
  assert.equal((await api.call('GET', '/schedules', { token })).status, 403)
  const body = { command: 'retry-jobs', cron: '0 3 * * *' }
  assert.equal((await api.call('POST', create, { token, body })).status, 403)
})
