import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Webhook } from '../../../contract/integration/webhooks.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

const create = '/system/forms/webhook/create'
const edit = '/system/forms/webhook/edit'
const url = 'https://hooks.example.com/fordra'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

interface Made {
  webhookGuid: string
  secret: string
  types: string
}

test('a webhook without a secret is given one, which is shown once', async () => {
  const made = await api.call<Made>('POST', create, { body: { url, types: 'debtor.*, case.closed' } })
  assert.equal(made.status, 201)
  assert.match(made.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(made.body.types, 'debtor.*,case.closed')
  const place = `${edit}?id=${made.body.webhookGuid}`
  const read = await api.call<Partial<Made>>('GET', `${place}&initialValues=true`)
  assert.equal(read.body.types, 'debtor.*,case.closed')
  const listed = await api.call<{ value: Webhook[] }>('GET', '/webhooks')
  const { body: audit } = await api.call<object>('GET', `/audit?$filter=entity eq 'webhook'`)
  for (const shown of [read.body, listed.body, audit])
    assert.ok(!JSON.stringify(shown).includes(made.body.secret.slice(6)))
})

test('a change needs the current version, and enabling resumes deliveries', async () => {
  const made = await api.call<Made>('POST', create, { body: { url } })
  const place = `${edit}?id=${made.body.webhookGuid}`
  await api.sql`update webhook set paused_at = now(), paused_reason = 'Nobody answered.'`
  const first = await api.call('PATCH', place, {
    body: { enabled: true },
    headers: { 'if-match': '"1"' },
  })
  assert.equal(first.status, 200, first.text)
  const [row] = await api.sql`select paused_at from webhook where id = ${made.body.webhookGuid}`
  assert.equal(row!['paused_at'], null)
  const changed = await api.call('PATCH', place, {
    body: { description: 'Ours' },
    headers: { 'if-match': '"1"' },
  })
  assert.equal(changed.headers.get('etag'), '"2"')
  for (const method of ['PATCH', 'DELETE'] as const) {
    const late = await api.call(method, place, {
      ...(method === 'PATCH' && { body: { description: 'Theirs' } }),
      headers: { 'if-match': '"1"' },
    })
    assert.equal(late.status, 412, method)
  }
  const removed = await api.call('DELETE', place, { headers: { 'if-match': '"2"' } })
  assert.equal(removed.status, 200)
})

test('a webhook cannot call a private network address, and needs an administrator', async () => {
  const refused = await api.call<{ errors: object }>('POST', create, { body: { url: 'https://127.0.0.1/x' } })
  assert.equal(refused.status, 400)
  assert.deepEqual(Object.keys(refused.body.errors), ['url'])
  const weak = await api.call<{ errors: object }>('POST', create, { body: { url, secret: 'whsec_short' } })
  assert.deepEqual(Object.keys(weak.body.errors), ['secret'])
  const token = await api.signIn(3)
  assert.equal((await api.call('POST', create, { body: { url }, token })).status, 403)
})
