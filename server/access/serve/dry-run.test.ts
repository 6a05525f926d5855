/** Dry runs of drawn writes leave every table as it was, and say what the same write then does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { updateUserSettings } from '../../../contract/access/current-user.ts'
import { operations } from '../../../contract/api.ts'
import { createDashboard } from '../../../contract/insight/dashboards.ts'
import { formOperationList } from '../../../contract/metadata/form-operations.ts'
import { addFavorite } from '../../../contract/metadata/items.ts'
import { createExample } from '../../../contract/openapi/openapi-examples.ts'
import type { DryRun } from '../../../contract/platform/dry-run.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { takesDryRun } from '../../../contract/platform/operation-rules.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { makeRecords } from '../../testing/records/samples.ts'

let api: TestApi
let known: Readonly<Record<string, string>>
before(async () => {
  api = await startApi()
  await api.setDate('2026-03-02')
  ;({ known } = await makeRecords(api))
})
after(() => api.close())

/** Written beside the requests: seals of the trail, and when a session was last used. */
const besides = ['audit_seal', 'audit_head', 'audit_carry_over', 'session']

/** A digest of each table, by its name. */
async function digestTables(): Promise<Record<string, string>> {
  const tables = await api.sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'graphile_worker') and not tablename = any (${besides}::text[]) order by 1`
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) as digest from ${name} t`,
  )
  const rows = await api.sql.unsafe<{ name: string; digest: string }[]>(parts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

interface Write {
  method: string
  path: string
  body: object
}

const dry = ({ method, path, body }: Write) =>
  api.call<DryRun>(method, `${path}${path.includes('?') ? '&' : '?'}dryRun=true`, { body })

/** Without what differs by the try: GUIDs, times, and numbers from a sequence of the database. */
const withoutTries = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, one: unknown) =>
      ['debtorReference', 'traceId', 'instance'].includes(name) ? undefined : one,
    )
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'guid')
      .replaceAll(/\d{4}-\d\d-\d\dT(?!00:00:00Z)[\d:.]+Z/g, 'time'),
  )

const amount = fc.integer({ min: 1, max: 2_000_00 }).map((minor) => minor / 100)
const day = fc.integer({ min: 1, max: 28 }).map((one) => `2026-02-${String(one).padStart(2, '0')}`)
const onCase = (form: string) => `/system/forms/${form}?id=${known['case']}`

const draws: fc.Arbitrary<() => Write> = fc.oneof(
  fc.record({ amount, day }).map(({ amount: paid, day: valueDate }) => () => ({
    method: 'POST',
    path: '/system/forms/payment/register',
    body: { caseGuid: known['case'], amount: paid, valueDate },
  })),
  fc.record({ amount, day }).map(({ amount: principal, day: dueDate }) => () => ({
    method: 'POST',
    path: onCase('invoice/create'),
    body: { principal, dueDate },
  })),
  amount.map((part) => () => ({ method: 'POST', path: onCase('writeoff/register'), body: { amount: part } })),
  fc.constantFrom('REMINDER', 'DEMAND', 'NO_SUCH').map((feeType) => () => ({
    method: 'POST',
    path: onCase('fee/add'),
    body: { feeType },
  })),
  fc.record({ amount, day }).map(({ amount: principal, day: dueDate }) => () => ({
    method: 'POST',
    path: '/system/forms/case/register',
    body: { clientGuid: known['client'], debtorGuid: known['debtor'], principal, dueDate },
  })),
  fc.string({ minLength: 1, maxLength: 20 }).map((lastname) => () => ({
    method: 'POST',
    path: '/debtors',
    body: { lastname },
  })),
  fc.constantFrom('one@example.com', 'none', null).map((email) => () => ({
    method: 'PATCH',
    path: `/debtors/${known['debtor']}`,
    body: { email },
  })),
  fc.integer({ min: 0, max: 12 }).map((numberOfPayments) => () => ({
    method: 'POST',
    path: `/debtors/${known['debtor']}/paymentplans`,
    body: { paymentPlanType: 1, numberOfPayments },
  })),
  fc.constantFrom('2026-04-01', '2020-01-01').map((nextActionDate) => () => ({
    method: 'PUT',
    path: `/cases/next-action`,
    body: { caseGuids: [known['case']], nextActionDate },
  })),
)

test('drawn writes: every table stays byte by byte, and the write then answers, notes and books the same', async () => {
  let written = 0
  let refused = 0
  let booked = 0
  await fc.assert(
    fc.asyncProperty(draws, async (draw) => {
      const write = draw()
      const left = await digestTables()
      const tried = await dry(write)
      assert.deepEqual(await digestTables(), left, `${write.method} ${write.path}`)
      const [{ position }] = await api.sql<[{ position: string }]>`
        select coalesce(max(position), 0)::text as position from audit_entry`
      const [{ transactions }] = await api.sql<[{ transactions: string }]>`
        select count(*)::text as transactions from ledger_transaction`
      const done = await api.call(write.method, write.path, { body: write.body })
      if (done.status >= 400) {
        refused += 1
        assert.equal(tried.status, done.status, tried.text)
        assert.deepEqual(withoutTries(tried.body), withoutTries(done.body))
        assert.deepEqual(await digestTables(), left, 'a refusal leaves nothing either')
        return
      }
      written += 1
      assert.equal(tried.status, 200, tried.text)
      assert.equal(tried.body.status, done.status)
      assert.equal(tried.headers.get('etag'), null)
      assert.equal(tried.headers.get('location'), null)
      assert.deepEqual(withoutTries(tried.body.answer), withoutTries(done.body))
      const events = await api.sql`
        select type, subject, sequence::float8 as sequence, data from audit_entry
        where position > ${position}::bigint and type is not null order by position`
      assert.deepEqual(withoutTries(tried.body.events), withoutTries([...events]))
      const [{ now }] = await api.sql<[{ now: string }]>`select count(*)::text as now from ledger_transaction`
      assert.equal(tried.body.money.length > 0, now !== transactions)
      const byCurrency = tried.body.money.reduce((sum, row) => sum + Math.round(row.amount! * 100), 0)
      assert.equal(byCurrency, 0, 'the rows of a booking balance')
      booked += tried.body.money.length
    }),
    { numRuns: 60 },
  )
  assert.ok(
    written >= 10 && refused >= 2 && booked >= 4,
    `${written} written, ${refused} refused, ${booked} rows`,
  )
})

test('the rows of a payment are those that are booked', async () => {
  const write = {
    method: 'POST',
    path: '/system/forms/payment/register',
    body: { caseGuid: known['case'], amount: 123.45 },
  }
  const tried = await dry(write)
  assert.deepEqual(
    tried.body.events.map(({ type }) => type),
    ['payment.registered', 'payment.allocated'],
  )
  const done = await api.call<{ paymentGuid: string }>('POST', write.path, { body: write.body })
  const rows = await api.sql<{ account: string; amount: number }[]>`
    select e.account, e.amount::float8 / 100 as amount from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
    join movement m on m.id = t.movement_id join payment p on p.id = m.payment_id
    where p.id = ${done.body.paymentGuid} order by t.number, e.line`
  assert.deepEqual(
    tried.body.money.map(({ account, amount: line }) => ({ account, amount: line })),
    rows.map((row) => ({ ...row })),
  )
})

test('an idempotency key is not used up', async () => {
  const headers = { 'idempotency-key': 'dry-then-real' }
  const body = { lastname: 'Nyckel' }
  assert.equal((await api.call('POST', '/debtors?dryRun=true', { body, headers })).status, 200)
  const done = await api.call('POST', '/debtors', { body, headers })
  assert.deepEqual([done.status, done.headers.get('idempotency-replayed')], [201, null])
})

test('a letter that would be sent is told without its recipient, and is not sent', async () => {
  await api.call('PATCH', `/debtors/${known['debtor']}`, { body: { email: 'kept@example.com' } })
  const left = await digestTables()
  const tried = await api.call<DryRun>('POST', `/debtors/${known['debtor']}/letters?dryRun=true`, {
    body: { kind: 'statement', languageCode: 'sv', channel: 'letter' },
  })
  assert.equal(tried.status, 200, tried.text)
  assert.deepEqual(
    tried.body.messages.map(({ debtorGuid }) => debtorGuid),
    [known['debtor']],
  )
  assert.ok(!tried.text.includes('kept@example.com'))
  assert.deepEqual(await digestTables(), left)
})

const examples = [...operations, ...formOperationList].filter(takesDryRun)

test('no write that can be tried leaves anything, whatever it answers', async () => {
  const left = await digestTables()
  const statuses = new Map<number, number>()
  for (const operation of examples as readonly Operation[]) {
    const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => findKnown(name, operation))
    const query = new URLSearchParams({ ...(operation.example?.query as object), dryRun: 'true' })
    if (
      /\/forms\//.test(path) &&
      operation.query &&
      'id' in (operation.query as { properties: object }).properties
    )
      query.set('id', known[path.split('/')[3]!] ?? known['case']!)
    const body = withKnown(operation.example?.body ?? (operation.body ? createExample(operation.body) : {}))
    const answer = await api.call(operation.method, `${path}?${query.toString()}`, { body })
    assert.ok(answer.status < 500, `${operation.name}: ${answer.text}`)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  }
  assert.deepEqual(await digestTables(), left)
  assert.ok(statuses.get(200)! >= 25, JSON.stringify([...statuses]))
})

const findKnown = (name: string, { example }: Operation): string =>
  known[name.replace(/Guid$/, '')] ??
  (example?.params as Record<string, string> | undefined)?.[name] ??
  known['debtor']!

const withKnown = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      typeof value === 'string' && known[name.replace(/Guid$/, '')]
        ? known[name.replace(/Guid$/, '')]
        : value,
    ),
  )

test('settings, favorites and dashboards of the caller are tried like every other write', async () => {
  const left = await digestTables()
  for (const operation of [updateUserSettings, addFavorite, createDashboard]) {
    const path = operation.path.replaceAll(/:(\w+)/g, '$1')
    const { body } = operation.example
    const tried = await api.call<DryRun>(operation.method, `${path}?dryRun=true`, { body })
    assert.equal(tried.status, 200, `${operation.name}: ${tried.text}`)
    assert.equal(tried.body.status, operation.status)
  }
  assert.deepEqual(await digestTables(), left)
})

test('access is that of the write', async () => {
  const reader = await api.signIn(9)
  const answer = await api.call('POST', '/debtors?dryRun=true', { body: { lastname: 'Ek' }, token: reader })
  assert.ok([401, 403].includes(answer.status), answer.text)
})

const impossible = operations.filter(
  (one) => one.method !== 'GET' && !takesDryRun(one) && one.access !== 'public',
)

test('what cannot be tried says so, and a wrong value never becomes a write', async () => {
  const left = await digestTables()
  assert.ok(impossible.length >= 15)
  const named = new Set(['runCommand', 'setSystemDate', 'pingWebhook', 'eraseDebtor', 'updateCurrentUser'])
  for (const operation of impossible.filter(({ name }) => named.has(name))) {
    const path = (operation as Operation).path.replaceAll(/:(\w+)/g, () => known['debtor']!)
    const answer = await api.call(operation.method, `${path}?dryRun=true`, { body: {} })
    assertProblem(answer, 'invalid', /is not possible here/)
  }
  for (const value of ['false', '1', 'TRUE', '', 'true&dryRun=true']) {
    const answer = await api.call('POST', `/debtors?dryRun=${value}`, { body: { lastname: 'Ek' } })
    assertProblem(answer, 'invalid', /must be true/)
  }
  assertProblem(await api.call('GET', '/debtors?dryRun=true'), 'invalid', /dryRun/)
  assert.deepEqual(await digestTables(), left)
})
