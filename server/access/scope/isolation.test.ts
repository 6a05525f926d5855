/**
 * Tries to reach other people's records, members and fields by every operation of the contract. New operations are
 * tested automatically; a new path parameter must be added here.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allAccessCodes } from '../../../contract/access/access.ts'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import { startApi, type Response, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { rowHelper } from '../../platform/database/statement.ts'

const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'

let api: TestApi
/** Has every right, but is restricted to a client of its own. */
let token = ''
/** For each path parameter: a record of the other client, or of another user. */
let foreign: Record<string, string>
/** The same for the caller's own client. */
let own: Record<string, string>

before(async () => {
  api = await startApi({ FORDRA_SERVICES: 'services' })
  const [ours, theirs] = [await api.addParty('OURS'), await api.addParty('THEIRS')]
  const group = { id: nowhere, code: 'EVERYTHING', name: 'Everything', access_codes: allAccessCodes }
  await api.sql`insert into access_group ${rowHelper(api.sql, group)}`
  const users = { ours: await addUser(ours), theirs: await addUser(theirs) }
  token = users.ours.token
  const agencys = await makeAgencyRecords()
  own = { ...(await makeRecords(ours, users.ours)), ...agencys }
  foreign = {
    ...(await makeRecords(theirs, users.theirs)),
    ...agencys,
    strategyGuid: nowhere,
    fileGuid: nowhere,
  }
})
after(() => api.close())

async function addUser(party: string): Promise<{ id: string; token: string }> {
  const signedIn = await api.signIn(6, party)
  const [user] = await api.sql<{ id: string }[]>`select id from app_user where party_id = ${party}`
  await api.sql`insert into user_access_group values (${user!.id}, ${nowhere})`
  await api.sql`update app_user set mfa_type = 2 where id = ${user!.id}`
  return { id: user!.id, token: signedIn }
}

/** Restricted users never see bank files, suspense and payouts. */
async function makeAgencyRecords(): Promise<Record<string, string>> {
  const [fileGuid, entryGuid, suspenseGuid, batchGuid] = [1, 2, 3, 4].map((one) =>
    nowhere.replace('0190', `019${one}`),
  ) as [string, string, string, string]
  const day = '2026-01-01'
  const hash = Buffer.alloc(32)
  const money = { currency_code: 'SEK', minor_per_unit: 100, amount: 100 }
  const file = {
    id: fileGuid,
    format: 'BGMAX',
    sha256: hash,
    bytes: 1,
    business_date: day,
    entries: 1,
    suspended: 1,
  }
  const texts = { account: '1', payment_references: [], words: [] }
  const entry = {
    id: entryGuid,
    file_id: fileGuid,
    number: 1,
    identity: hash,
    outcome: 'SUSPENSE',
    ...money,
    ...texts,
  }
  const held = { id: suspenseGuid, entry_id: entryGuid, value_date: day, reason: 'NO_REFERENCE', ...money }
  const dates = { business_date: day, execution_date: day }
  const batch = { id: batchGuid, account: '1', payouts: 1, content: '<Document/>', ...money, ...dates }
  await api.sql`insert into payment_file ${api.sql(file)}`
  await api.sql`insert into payment_file_entry ${api.sql(entry as never)}`
  await api.sql`insert into suspense ${api.sql(held)}`
  await api.sql`insert into payout_batch ${api.sql(batch)}`
  const [waiting] = await api.sql<{ id: string }[]>`
    insert into held_payment_file (id, sha256, content, held_by)
    select gen_random_uuid(), ${hash}, ${hash}, id from app_user limit 1 returning id`
  return {
    paymentFileGuid: fileGuid,
    heldFileGuid: waiting!.id,
    suspenseGuid,
    payoutBatchGuid: batchGuid,
    reportName: 'portfolio',
  }
}

async function makeRecords(
  party: string,
  user: { id: string; token: string },
): Promise<Record<string, string>> {
  const made = await api.call<Debtor>('POST', '/debtors', {
    body: { lastname: 'Ek', street: 'Gatan', city: 'Lund' },
  })
  const { debtorGuid } = made.body
  await api.sql`update debtor set created_by_party_id = ${party} where id = ${debtorGuid}`
  await api.call('POST', `/debtors/${debtorGuid}/extrafields`, { body: { name: 'x', value: ['secret'] } })
  const [address] = await api.sql<{ id: string }[]>`select id from address where debtor_id = ${debtorGuid}`
  const [session] = await api.sql<{ id: string }[]>`select id from session where user_id = ${user.id}`
  const [secret] = await api.sql<{ id: string }[]>`
    insert into client_secret (id, user_id, hash) values (gen_random_uuid(), ${user.id}, 'sha256:') returning id`
  const [passkey] = await api.sql<{ id: string }[]>`
    insert into passkey (id, user_id, credential_id, public_key, counter, transports, name)
    values (gen_random_uuid(), ${user.id}, ${Buffer.from(user.id)}, '', 0, '{}', 'x') returning id`
  const favorite = await api.call<{ itemGuid: string }>('POST', '/users/current/favorites', {
    body: { type: '0', url: '/mine' },
    token: user.token,
  })
  const registered = await api.call<{ caseGuid: string }>('POST', '/system/forms/case/register', {
    body: { clientGuid: party, debtorGuid, principal: 100, currencyCode: 'SEK' },
  })
  const plan = await api.call<{ paymentPlanGuid: string }>('POST', `/debtors/${debtorGuid}/paymentplans`, {
    body: { paymentPlanType: 1, numberOfPayments: 3 },
  })
  const webhook = {
    id: party,
    url: 'https://example.com/hook',
    types: [],
    secret: Buffer.from('secret'),
    sealed: false,
    after_xid: 0,
    after_position: 0,
    created_by: user.id,
  }
  await api.sql`insert into webhook ${rowHelper(api.sql, webhook)}`
  const { body: document } = await api.call<{ documentGuid: string }>(
    'POST',
    `/debtors/${debtorGuid}/documents`,
    { body: {} },
  )
  const attachmentGuid = await makeAttachment(debtorGuid)
  const [approval] = await api.sql<{ id: string }[]>`
    insert into approval (id, act, client_id, request, requested_by)
    values (gen_random_uuid(), 'CLIENT_ACCOUNT', ${party}, '{}', ${user.id}) returning id`
  const [strategy] = await api.sql<{ id: string }[]>`select id from strategy limit 1`
  const [file] = await api.sql<{ id: string }[]>`
    insert into uploaded_file (id, what, source, file_name, is_whole, has_rejected)
    values (gen_random_uuid(), 'debtors', 'x', 'x', true, true) returning id`
  const trialGuid = await makeTrial(party)
  const dashboardGuid = await makeDashboard(party, user.id)
  const bulkActionGuid = await makeBulkAction(user.id, registered.body.caseGuid)
  return {
    debtorGuid,
    documentGuid: document.documentGuid,
    attachmentGuid,
    caseGuid: registered.body.caseGuid,
    paymentplanGuid: plan.body.paymentPlanGuid,
    clientGuid: party,
    lookupcode: 'gender',
    command: 'check-payment-plans',
    // Webhooks, strategies, files and jobs belong to the installation.
    webhookGuid: webhook.id,
    approvalGuid: approval!.id,
    jobId: nowhere,
    bulkActionGuid,
    dashboardGuid,
    strategyGuid: strategy!.id,
    letterTemplateGuid: nowhere,
    trialGuid,
    fileGuid: file!.id,
    addressGuid: address!.id,
    userGuid: user.id,
    sessionGuid: session!.id,
    secretGuid: secret!.id,
    passkeyGuid: passkey!.id,
    guid: favorite.body.itemGuid,
    name: 'x',
  }
}

async function makeAttachment(debtorGuid: string): Promise<string> {
  const made = await api.call<{ attachmentGuid: string }>(
    'POST',
    `/debtors/${debtorGuid}/attachments?fileName=a.txt`,
    {
      raw: 'A file.',
      headers: { 'content-type': 'application/octet-stream' },
    },
  )
  return made.body.attachmentGuid
}

async function makeTrial(party: string): Promise<string> {
  const [made] = await api.sql<{ id: string }[]>`
    with trial as (
      insert into trial (id, name, client_id, champion_id, outcome_days, highest_amount, currency_code, planned_cases)
      select gen_random_uuid(), 'x', ${party}, (select id from strategy limit 1), 10, 100, 'SEK', 10
      returning id, champion_id)
    insert into trial_arm (trial_id, number, strategy_id, share) select id, 0, champion_id, 50 from trial
    returning trial_id as id`
  return made!.id
}

async function makeDashboard(party: string, userId: string): Promise<string> {
  const [made] = await api.sql<{ id: string }[]>`
    insert into dashboard (id, name, tiles, months, client_id, user_id)
    values (gen_random_uuid(), 'x', '{kept}', 12, ${party}, ${userId}) returning id`
  return made!.id
}

async function makeBulkAction(userId: string, caseGuid: string): Promise<string> {
  const [made] = await api.sql<{ id: string }[]>`
    with job as (
      insert into job_run (id, kind, name, payload, attempts_max, status)
      values (gen_random_uuid(), 'bulk', 'hold', '{}', 1, 'completed') returning id),
    action as (
      insert into bulk_action (id, list, action, input, expected, asked_by, job_id)
      select id, 'cases', 'hold', '{}', 1, ${userId}, id from job returning id)
    insert into bulk_action_row (action_id, number, subject_id) select id, 1, ${caseGuid} from action
    returning action_id as id`
  return made!.id
}

const pathParameters = ({ path }: Operation) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const pathWith = (operation: Operation, things: Record<string, string>) =>
  operation.path.replace(
    /:(\w+)/g,
    (_, name: string) =>
      things[name] ?? shippedService(operation)[name] ?? assert.fail(`${operation.id}: whose is ${name}?`),
  )
/** A shipped service, for users or for debtors. */
const shippedService = ({ path }: Operation): Record<string, string> => ({
  serviceDefinition: path.startsWith('/users') ? 'welcome-mail' : 'address-check',
})
const send = (operation: Operation, path: string, as = token) =>
  api.call<unknown>(operation.method, path + requiredQuery(operation), {
    token: as,
    ...(operation.bodyType === 'application/octet-stream'
      ? { raw: 'A file.', headers: { 'content-type': operation.bodyType } }
      : operation.body && { body: operation.example?.body ?? {} }),
  })
/** A file is sent with its name. */
const requiredQuery = ({ bodyType, example }: Operation) =>
  bodyType === 'application/octet-stream' && example?.query
    ? `?${new URLSearchParams(example.query as Record<string, string>).toString()}`
    : ''
const withoutIds = ({ text }: Response<unknown>) => {
  const { instance: _path, traceId: _id, ...rest } = JSON.parse(text) as Record<string, unknown>
  return rest
}

const withGuid = operations.filter((operation) =>
  pathParameters(operation).some((name) => /guid$/i.test(name)),
)

test('the contract has operations to try', () =>
  assert.ok(withGuid.length >= 18, `${withGuid.length} operations`))

for (const operation of withGuid) {
  test(`${operation.id} ${operation.method} ${operation.path}: a foreign record looks like a missing one`, async () => {
    const unchanged = await snapshot()
    const hidden = await send(operation, pathWith(operation, foreign))
    if ((operation as Operation).unrestricted)
      return assertProblem(hidden as Response, 'forbidden', /whole installation/)
    assertProblem(hidden as Response, 'not-found', /no such/i)
    const guids = Object.fromEntries(
      pathParameters(operation).map((name) => [
        name,
        /guid$/i.test(name) ? nowhere : (foreign[name] ?? shippedService(operation)[name]!),
      ]),
    )
    assert.deepEqual(withoutIds(hidden), withoutIds(await send(operation, pathWith(operation, guids))))
    // A foreign record below an own one is not found either.
    const [first, ...rest] = pathParameters(operation)
    if (rest.some((name) => /guid$/i.test(name))) {
      const mixed = await send(operation, pathWith(operation, { ...foreign, [first!]: own[first!]! }))
      assertProblem(mixed as Response, 'not-found', /no such/i)
    }
    assert.deepEqual(await snapshot(), unchanged, 'nothing has changed')
  })
}

/** The versions of everything that could have been changed. */
const snapshot = () =>
  api.sql`
    select (select jsonb_agg(d.version || ' ' || d.event_sequence order by d.id) from debtor d) as debtors,
      (select jsonb_agg(a.version order by a.id) from address a) as addresses,
      (select jsonb_agg(u.version order by u.id) from app_user u) as users,
      (select jsonb_agg(c.version order by c.id) from debt_case c) as cases,
      (select jsonb_agg(p.version order by p.id) from party p) as clients,
      (select count(*) from session where revoked_at is not null) as ended,
      (select jsonb_agg(p.version || ' ' || p.active order by p.id) from payment_plan p) as plans,
      (select count(*) from favorite) as favorites`

const privileged = {
  id: nowhere,
  uniqueId: nowhere,
  userRole: 2,
  accessGroups: ['EVERYTHING'],
  accessCodes: ['system.admin'],
  clientRestriction: [],
  apiUser: true,
  disabled: false,
  mfaType: 0,
  partyId: nowhere,
  passwordHash: 'x',
  createdByPartyId: nowhere,
  version: 99,
  eventSequence: 99,
  sourceReference: 'x',
}

/** RFC 7591 section 2 has unknown members ignored. A test of its own shows that nothing of them is kept. */
const ignoring = ['registerAssistant']

for (const operation of operations) {
  const { properties } = (operation.body ?? {}) as { properties?: object }
  if (!properties || operation.bodyType || ignoring.includes(operation.id)) continue
  test(`${operation.id} accepts no unknown member`, async () => {
    const body = operation.example?.body ?? {}
    assert.ok(typeof body === 'object')
    for (const [member, value] of Object.entries(privileged)) {
      if (member in properties) continue
      const refused = await api.call(operation.method, pathWith(operation, own), {
        body: { ...body, [member]: value },
        ...(operation.access === 'public' && { token: null }),
      })
      assert.ok([400, 422].includes(refused.status), `${member}: ${refused.status}`)
      assert.match(refused.text, new RegExp(member))
    }
  })
}

const lists = operations.filter(
  ({ query }) => query && '$filter' in (query as { properties: object }).properties,
)

test('the contract has lists to try', () => assert.ok(lists.length >= 6))

for (const operation of lists) {
  test(`${operation.id} filters and sorts only by members that it shows`, async () => {
    const hidden = [
      'passwordHash',
      'password_hash',
      'clientSecretHash',
      'partyId',
      'createdByPartyId',
      'hash',
      'sourceReference',
    ]
    // Every scalar member of U8's items can be filtered, the photo too; no other list shows one.
    if (operation.id !== 'U8') hidden.push('photoImage')
    for (const name of [...hidden, 'd.id', 'u.password_hash', 'changes', '1=1', 'body)--']) {
      for (const query of [`$filter=${name} eq 'x'`, `$filter=startswith(${name},'a')`, `$orderby=${name}`]) {
        const answer = await api.call('GET', `${pathWith(operation, own)}?${query.replaceAll(' ', '%20')}`)
        assert.equal(answer.status, 400, `${operation.id} ${query}: ${answer.status}`)
      }
    }
  })
}

interface SummedPage {
  total: number
  value: Record<string, unknown>[]
  sums: { currencyCode: string | null; count: number; amounts: Record<string, number> }[]
}

const summed = lists.filter(({ query }) => 'sums' in (query as unknown as { properties: object }).properties)

test('the contract has lists with sums to try', () => assert.ok(summed.length >= 10))

for (const operation of summed) {
  test(`${operation.id} adds up only what it shows to the caller`, async () => {
    const { description } = (operation.query as unknown as { properties: { sums: { description: string } } })
      .properties.sums
    const names = /: `(\S+)`/.exec(description)![1]!
    const path = pathWith(operation, own)
    const as = (operation as Operation).unrestricted ? api.token : token
    const answer = await api.call<SummedPage>('GET', `${path}?$top=100&sums=${names}`, { token: as })
    if (answer.status === 404) return assertProblem(answer as never, 'not-found', /no such/i)
    const { total, value, sums } = answer.body
    assert.ok(value.length === total)
    assert.equal(
      sums.reduce((count, one) => count + one.count, 0),
      total,
    )
    for (const { currencyCode, amounts } of sums)
      for (const name of names.split(',')) {
        const rows = value.filter((row) => (row['currencyCode'] ?? null) === currencyCode)
        const shown = rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)
        assert.ok(Math.abs(amounts[name]! - shown) < 0.001, `${name} ${currencyCode}`)
      }
  })
}
