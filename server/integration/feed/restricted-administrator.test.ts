/** What an administrator who is restricted to clients, or has few access codes, sees and does in administration. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { allAccessCodes, type AccessCode } from '../../../contract/access/access.ts'
import type { User } from '../../../contract/access/users.ts'
import type { Webhook, WebhookDelivery } from '../../../contract/integration/webhooks.ts'
import type { Job } from '../../../contract/platform/jobs.ts'
import type { Message } from '../../../contract/platform/messages.ts'
import { createDeliveries } from './create-deliveries.ts'
import type { Page } from '../../platform/database/list.ts'
import type { JobRunner } from '../../platform/jobs/run-jobs.ts'
import { queueMessage } from '../../platform/messages/messages.store.ts'
import { startApi, type CallOptions, type TestApi } from '../../testing/api.ts'
import { runJobs } from '../../testing/jobs.ts'
import { assertProblem } from '../../testing/problem.ts'
import { startSession } from '../../access/sessions/sessions.ts'

interface Administrator {
  userGuid: string
  call<T>(method: string, path: string, options?: CallOptions): ReturnType<typeof api.call<T>>
}

let api: TestApi
let runner: JobRunner
let address = ''
let users = 0
/** The subjects of the events that each webhook received, by its path. */
const received = new Map<string, string[]>()
/** The client of each debtor that was made. */
const clients = new Map<string, string>()

const receiver = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const { subject, type } = JSON.parse(text) as { subject: string; type: string }
    if (type !== 'webhook.pinged')
      received.set(request.url!, [...(received.get(request.url!) ?? []), subject])
    response.writeHead(204).end()
  })
})

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  api = await startApi({ FORDRA_PRIVATE_TARGETS: '1' })
  runner = await runJobs(api)
  await api.addParty('OURS')
  await api.addParty('THEIRS')
})
after(async () => {
  await runner.stop()
  await api.close()
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(() => received.clear())

/** A user of the agency with exactly these access codes, restricted to OURS if so. */
async function addAdministrator(
  codes: readonly AccessCode[],
  { restricted = false, userRole = 5 } = {},
): Promise<Administrator> {
  const number = ++users
  const group = await api.call('POST', '/system/forms/accessgroup/create', {
    body: { code: `G${number}`, name: 'Group', accessCodes: codes.join(',') },
  })
  assert.equal(group.status, 201, group.text)
  const made = await api.call<User>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: `admin${number}@agency.example`,
      password: 'en lång mening som är min',
      fullName: 'Administrator',
      userRole,
      accessGroups: [`G${number}`],
      clientRestriction: restricted ? [{ partyReferenceCode: 'OURS', includeSubParties: true }] : [],
    },
  })
  assert.equal(made.status, 201, made.text)
  const userGuid = made.body.uniqueId
  const { tokens } = await startSession(api.sql, userGuid)
  return {
    userGuid,
    call: (method, path, options) => api.call(method, path, { token: tokens.accessToken, ...options }),
  }
}

/** A debtor with a case of the client. */
async function makeDebtor(client: string): Promise<string> {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Ek' } })
  const { debtorGuid } = made.body
  const [party] = await api.sql<{ id: string }[]>`select id from party where reference_code = ${client}`
  const body = { clientGuid: party!.id, debtorGuid, principal: 100, currencyCode: 'SEK' }
  const registered = await api.call('POST', '/system/forms/case/register', { body })
  assert.equal(registered.status, 201, registered.text)
  clients.set(debtorGuid, client)
  return debtorGuid
}

async function createWebhook(admin: Administrator, path: string): Promise<string> {
  const body = { url: `${address}/${path}`, types: 'debtor.*' }
  const made = await admin.call<Webhook>('POST', '/system/forms/webhook/create', { body })
  assert.equal(made.status, 201, made.text)
  return made.body.webhookGuid
}

const storeWebhook = (admin: Administrator, webhookGuid: string, body: object) =>
  admin.call('PATCH', `/system/forms/webhook/edit?id=${webhookGuid}`, { body })

/** What a delivery under way sends, it sends with the rights that it began with. */
async function untilNoneDelivers(webhookGuid: string): Promise<void> {
  const listRunning = () => api.sql`
    select from graphile_worker.jobs where queue_name = ${`webhook:${webhookGuid}`} and locked_at is not null`
  while ((await listRunning()).length > 0) await sleep(20)
}

/** Changes a debtor, and delivers until the webhook has received the change of another one, made later. */
async function deliverUntil(path: string, debtorGuid: string): Promise<readonly string[]> {
  const seen = () => received.get(`/${path}`) ?? []
  while (!seen().includes(debtorGuid)) {
    await createDeliveries(api.sql)
    await sleep(50)
  }
  return seen()
}

async function touch(debtorGuid: string): Promise<void> {
  const changed = await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: `Ek ${++users}` } })
  assert.equal(changed.status, 200, changed.text)
}

test('nobody reads the code or token of another user in the outbox', async () => {
  const token = 'the-token-of-the-message'
  for (const kind of ['password-reset', 'mfa-code'] as const) {
    await queueMessage(api.sql, {
      kind,
      channel: 'email',
      recipient: 'chief@agency.example',
      languageCode: 'en',
      secret: token,
      minutes: 30,
    })
  }
  for (const admin of [await addAdministrator(['system.admin']), await addAdministrator(allAccessCodes)]) {
    const { body, text } = await admin.call<Page<Message>>('GET', '/system/outbox')
    assert.deepEqual(
      body.value.map((message) => [message.recipient, message.body]),
      [
        ['chief@agency.example', null],
        ['chief@agency.example', null],
      ],
    )
    assert.doesNotMatch(text, new RegExp(token))
  }
})

const listRecipients = async (admin: Administrator) => {
  const { status, body } = await admin.call<Page<Message>>('GET', '/system/outbox')
  assert.equal(status, 200)
  return body.value.map((message) => message.recipient).filter((one) => one.endsWith('@example.com'))
}

test('a restricted administrator sees the letters about their own clients alone', async () => {
  const [ours, theirs] = [await makeDebtor('OURS'), await makeDebtor('THEIRS')]
  const recipient = 'debtor@example.com'
  for (const debtorGuid of [ours, theirs]) {
    await api.sql`update debtor set email = ${recipient} where id = ${debtorGuid}`
    const document = await api.call<{ documentGuid: string }>('POST', `/debtors/${debtorGuid}/documents`, {
      body: {},
    })
    assert.equal(document.status, 201, document.text)
    await api.sql`
      insert into message (id, kind, channel, recipient, language, subject, body, expires_at, document_id, debtor_id)
      values (gen_random_uuid(), 'letter', 'email', ${`${debtorGuid}@example.com`}, 'en', 'Letter', 'Text',
        now() + interval '1 day', ${document.body.documentGuid}, ${debtorGuid})`
  }
  const restricted = await addAdministrator(allAccessCodes, { restricted: true })
  assert.deepEqual(await listRecipients(restricted), [`${ours}@example.com`])
  assert.equal((await listRecipients(await addAdministrator(allAccessCodes))).length, 2)
})

test('a restricted administrator sees, cancels and retries only jobs of their own', async () => {
  const started = await api.call<{ jobId: string }>('POST', '/system/commands/check-payment-plans', {
    body: {},
  })
  assert.equal(started.status, 200)
  const { jobId } = started.body
  const restricted = await addAdministrator(allAccessCodes, { restricted: true })
  const list = await restricted.call<Page<Job>>('GET', '/jobs')
  assert.deepEqual([list.status, list.body.total], [200, 0])
  assertProblem(await restricted.call('GET', `/jobs/${jobId}`), 'not-found', /no such/i)
  assertProblem(await restricted.call('POST', `/jobs/${jobId}/cancel`), 'not-found', /no such/i)
  assertProblem(await restricted.call('POST', `/jobs/${jobId}/retry`), 'not-found', /no such/i)
})

test('what concerns the whole installation is refused to a restricted administrator', async () => {
  const restricted = await addAdministrator(allAccessCodes, { restricted: true })
  const tries: [method: string, path: string, body?: object][] = [
    ['POST', '/system/commands/purge-expired', {}],
    ['PUT', '/system/systemdate', { systemDate: '2030-01-01' }],
    ['PUT', '/system/loglevel', { logLevel: 10 }],
    ['GET', '/schedules'],
    ['GET', '/system/files'],
    ['POST', '/system/forms/accessgroup/create', { code: 'X', name: 'X', accessCodes: 'system.admin' }],
    ['POST', '/system/forms/field/create', { entity: 'debtor', code: 'x', type: 'string', textEn: 'X' }],
    ['POST', '/system/forms/schedule/create', { command: 'purge-expired', cron: '* * * * *' }],
    ['PATCH', '/system/forms/systemsettings/edit', {}],
    ['GET', '/system/lookupvalues'],
  ]
  for (const [method, path, body] of tries) {
    const answer = await restricted.call(method, path, body ? { body } : {})
    assertProblem(answer, 'forbidden', /whole installation/)
  }
  const navigation = await restricted.call('GET', '/system/navigation')
  assert.doesNotMatch(navigation.text, /schedules/)
})

test("a restricted administrator's webhook delivers only events of visible debtors", async () => {
  const restricted = await addAdministrator(allAccessCodes, { restricted: true })
  const [ours, theirs] = [await makeDebtor('OURS'), await makeDebtor('THEIRS')]
  await createWebhook(restricted, 'restricted')
  await touch(theirs)
  await touch(ours)
  // Also earlier events, if a transaction of another database held the feed back until the webhook was there.
  const seen = await deliverUntil('restricted', ours)
  assert.deepEqual([...new Set(seen.map((debtorGuid) => clients.get(debtorGuid)))], ['OURS'])
})

test('a webhook follows the rights of its owner, also for events that wait and for a replay', async () => {
  const owner = await addAdministrator(allAccessCodes)
  const [ours, theirs] = [await makeDebtor('OURS'), await makeDebtor('THEIRS')]
  const webhookGuid = await createWebhook(owner, 'owner')
  await touch(theirs)
  while ((await createDeliveries(api.sql)) === 0) await sleep(50)
  await api.sql`
    insert into user_client_restriction (user_id, party_id, include_sub_parties)
    select ${owner.userGuid}, id, true from party where reference_code = 'OURS'`
  await untilNoneDelivers(webhookGuid)
  received.clear()
  const replay = await api.call<{ detail: string }>('POST', `/webhooks/${webhookGuid}/replay`, {
    body: { from: '2000-01-01T00:00:00Z' },
  })
  assert.equal(replay.status, 200, replay.text)
  await touch(theirs)
  await touch(ours)
  const seen = await deliverUntil('owner', ours)
  assert.ok(!seen.includes(theirs), 'nothing of a debtor that the owner does not see')
})

test('only who has the rights of its owner changes, replays, reads or deletes a webhook', async () => {
  const owner = await addAdministrator(allAccessCodes)
  const webhookGuid = await createWebhook(owner, 'guarded')
  const lesser = await addAdministrator(['system.admin'])
  const evil = { url: `${address}/evil` }
  assertProblem(await storeWebhook(lesser, webhookGuid, evil), 'forbidden', /do not have/)
  assertProblem(await lesser.call('GET', `/webhooks/${webhookGuid}/deliveries`), 'forbidden', /do not have/)
  const body = { from: '2000-01-01T00:00:00Z' }
  assertProblem(
    await lesser.call('POST', `/webhooks/${webhookGuid}/replay`, { body }),
    'forbidden',
    /do not have/,
  )
  assertProblem(
    await lesser.call('DELETE', `/system/forms/webhook/edit?id=${webhookGuid}`),
    'forbidden',
    /do not have/,
  )
  const restricted = await addAdministrator(allAccessCodes, { restricted: true })
  assertProblem(await storeWebhook(restricted, webhookGuid, evil), 'not-found', /no such/i)
  const list = await restricted.call<Page<Webhook>>('GET', '/webhooks')
  assert.equal(list.body.total, 0)
  const equal = await addAdministrator(allAccessCodes)
  assert.equal((await storeWebhook(equal, webhookGuid, { description: 'Ours' })).status, 200)
})

test('a webhook whose owner is disabled pauses until an administrator enables it', async () => {
  const owner = await addAdministrator(allAccessCodes)
  const webhookGuid = await createWebhook(owner, 'orphan')
  const debtorGuid = await makeDebtor('THEIRS')
  const disabled = await api.call('PUT', `/users/${owner.userGuid}`, {
    body: { disabled: true, password: null },
  })
  assert.equal(disabled.status, 200)
  const read = async () =>
    (await api.call<Page<Webhook>>('GET', `/webhooks?$filter=webhookGuid eq ${webhookGuid}`)).body.value[0]!
  while ((await read()).pausedAt === null) {
    await createDeliveries(api.sql)
    await sleep(50)
  }
  assert.match((await read()).pausedReason!, /owner/)
  const administrator = await addAdministrator(allAccessCodes)
  assert.equal((await storeWebhook(administrator, webhookGuid, { enabled: true })).status, 200)
  await touch(debtorGuid)
  assert.ok((await deliverUntil('orphan', debtorGuid)).length > 0)
  const log = await administrator.call<Page<WebhookDelivery>>('GET', `/webhooks/${webhookGuid}/deliveries`)
  assert.equal(log.status, 200)
})

test('an import needs the rights to do the same by hand; one of users every right', async () => {
  const admin = await addAdministrator(['system.admin'])
  const upload = (what: string) =>
    admin.call<{ fileGuid: string }>('POST', `/system/files?what=${what}&fileName=x.csv`, {
      raw: 'email,fullName,userRole,partyReferenceCode\nevil@agency.example,Evil,2,AGENCY\n',
      headers: { 'content-type': 'application/octet-stream' },
    })
  assertProblem(await upload('users'), 'forbidden', /user\.admin/)
  assertProblem(await upload('debtors'), 'forbidden', /debtor\.write/)
  const uploaded = await api.call<{ fileGuid: string }>('POST', '/system/files?what=users&fileName=x.csv', {
    raw: 'email\nx@agency.example\n',
    headers: { 'content-type': 'application/octet-stream' },
  })
  const body = { argument: [uploaded.body.fileGuid] }
  assertProblem(await admin.call('POST', '/system/commands/import', { body }), 'forbidden', /user\.admin/)
})

test('a token narrowed to a scope makes no webhook that delivers more than the token reads', async () => {
  const owner = await addAdministrator(allAccessCodes)
  await api.sql`update session set scope = array['system.admin', 'form.write'] where user_id = ${owner.userGuid}`
  const body = { url: `${address}/narrow`, types: 'debtor.*' }
  const made = await owner.call('POST', '/system/forms/webhook/create', { body })
  assertProblem(made, 'forbidden', /do not have/)
  const found = await owner.call<Page<{ type: string }>>('GET', '/events/search?$top=100')
  assert.ok(found.body.total > 0)
  assert.deepEqual(
    found.body.value.filter(({ type }) => /^(debtor|case|user|payment)\./.test(type)),
    [],
  )
})

test('the result of a service of another user needs the rights to read it', async () => {
  const [owner, reader] = [await addAdministrator(allAccessCodes), await addAdministrator(['system.admin'])]
  const id = nextGuid()
  await api.sql`
    insert into job_run (id, kind, name, payload, attempts_max, asked_by, status, result, ended_at)
    values (${id}, 'service', 'personal-data-export', '{}', 1, ${owner.userGuid}, 'completed', '{"secret": 1}', now())`
  assert.deepEqual((await owner.call<Job>('GET', `/jobs/${id}`)).body.result, { secret: 1 })
  assert.equal((await reader.call<Job>('GET', `/jobs/${id}`)).body.result, null)
  assert.doesNotMatch((await reader.call('GET', '/jobs')).text, /secret/)
})

const nextGuid = () => `0190a6f2-7c1e-7d3a-8b4e-${String(++users).padStart(12, '0')}`

test('an access group of users with more rights is not changed', async () => {
  const chief = await addAdministrator(['report.read', 'system.admin'])
  const [group] = await api.sql<{ guid: string; code: string }[]>`
    select g.id as guid, g.code from access_group g join user_access_group x on x.access_group_id = g.id
    where x.user_id = ${chief.userGuid}`
  await api.sql`update app_user set user_role = 2 where id = ${chief.userGuid}`
  const lesser = await addAdministrator(['user.admin', 'system.admin', 'form.write'])
  const change = () =>
    lesser.call('PATCH', `/system/forms/accessgroup/edit?id=${group!.guid}`, { body: { accessCodes: '' } })
  assertProblem(await change(), 'forbidden', /users with access codes that you do not have/)
  await api.sql`update app_user set user_role = 5 where id = ${chief.userGuid}`
  assert.equal((await change()).status, 200)
})

test('a new user is not given the GUID of the system itself', async () => {
  const password = 'en lång mening som är min'
  const body = {
    partyReferenceCode: 'AGENCY',
    email: 'nil@agency.example',
    password,
    fullName: 'Nil',
    userRole: 5,
  }
  const existingUserUniqueId = '00000000-0000-0000-0000-000000000000'
  const refused = await api.call('POST', '/users', { body: { ...body, existingUserUniqueId } })
  assertProblem(refused, 'invalid', /existingUserUniqueId/)
})

test('a restricted user manager does not reach users who see more clients', async () => {
  const [ours] = await api.sql<{ id: string }[]>`select id from party where reference_code = 'OURS'`
  const below = await api.sql`
    insert into party (id, reference_code, name, parent_id) values (${nextGuid()}, 'OURS-SUB', 'Below', ${ours!.id}) returning id`
  assert.equal(below.length, 1)
  // Sees OURS without its sub-parties.
  const manager = await addAdministrator(allAccessCodes)
  const restriction = [{ partyReferenceCode: 'OURS', includeSubParties: false }]
  const held = { clientRestriction: restriction, password: null }
  assert.equal((await api.call('PUT', `/users/${manager.userGuid}`, { body: held })).status, 200)
  await sleep(1_000)
  const password = 'en lång mening som är min'
  const chief = {
    partyReferenceCode: 'OURS',
    email: 'chief@ours.example',
    password,
    fullName: 'Chief',
    userRole: 6,
  }
  const made = await api.call<User>('POST', '/users', { body: chief })
  assert.equal(made.status, 201)
  const take = { password: `${password} nu` }
  assertProblem(
    await manager.call('PUT', `/users/${made.body.uniqueId}`, { body: take }),
    'forbidden',
    /clients that you may not see/,
  )
  const another = { ...chief, email: 'other@ours.example' }
  assertProblem(
    await manager.call('POST', '/users', { body: another }),
    'forbidden',
    /clients that you may not see/,
  )
  const narrow = { ...another, clientRestriction: restriction }
  assert.equal((await manager.call('POST', '/users', { body: narrow })).status, 201)
})
