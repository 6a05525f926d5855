/** Filters by event type: known types are accepted, others are refused with suggestions. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventFilters } from '../../../contract/platform/event-types.ts'
import type { Webhook } from '../../../contract/integration/webhooks.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

interface Refusal {
  errors: Record<string, string[]>
}

describe('listEvents', () => {
  test('accepts every type, and every entity with a star', async () => {
    for (let from = 0; from < eventFilters.length; from += 30) {
      const types = eventFilters.slice(from, from + 30).join(',')
      const answer = await api.call('GET', `/events?limit=1&types=${types}`)
      assert.equal(answer.status, 200, answer.text)
    }
  })

  const refused: [types: string, told: RegExp][] = [
    ['debtor.creatd', /^must name types of events: debtor\.creatd is none, perhaps debtor\.created\b/],
    ['debtor.*,case.close', /^must name types of events: case\.close is none, perhaps case\.closed\b/],
    ['detbor.*', /perhaps debtor\.\*/],
    [
      'payment.something_else',
      /there are payment\.\*, payment\.registered, payment\.allocated, payment\.reversed\.$/,
    ],
    ['weather.changed', /there are debtor\.\*, address\.\*, .*systemdate\.\*\.$/],
    [`a.${'b'.repeat(900)}`, /: a\.b{48}… is none\.$/],
    ['a.b,a.c,a.d,a.e,a.f,a.g,a.h', /; nor are 2 more\.$/],
  ]
  for (const [types, told] of refused) {
    test(`refuses ${types.slice(0, 40)} and suggests known types`, async () => {
      const answer = await api.call<Refusal>('GET', `/events?types=${types}&wait=30`)
      assert.equal(answer.status, 400)
      assert.deepEqual(Object.keys(answer.body.errors), ['types'])
      assert.match(answer.body.errors['types']![0]!, told)
    })
  }

  test('refuses unknown types as a stream too', async () => {
    const answer = await fetch(`${api.address}/api/v1/events?types=debtor.opened`, {
      headers: { authorization: `Bearer ${api.token}`, accept: 'text/event-stream' },
    })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /debtor\.opened is none/)
  })
})

const editPath = (guid: string) => `/system/forms/webhook/edit?id=${guid}`
const readTypes = async (guid: string) => {
  const { body } = await api.call<{ value: Webhook[] }>('GET', '/webhooks')
  return body.value.find(({ webhookGuid }) => webhookGuid === guid)!.types
}

describe('a webhook', () => {
  const create = '/system/forms/webhook/create'
  const url = 'https://hooks.example.com/fordra'
  const make = async (types: string) => {
    const answer = await api.call<{ webhookGuid: string }>('POST', create, { body: { url, types } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.webhookGuid
  }

  test('cannot be created with an unknown type, and the field says so', async () => {
    const answer = await api.call<Refusal>('POST', create, { body: { url, types: 'debtor.*, case.close' } })
    assert.equal(answer.status, 400)
    assert.deepEqual(Object.keys(answer.body.errors), ['types'])
    assert.match(
      answer.body.errors['types']![0]!,
      /^must name types of events: case\.close is none, perhaps case\.closed\b/,
    )
  })

  test('can be created for every entity with a star', async () => {
    const whole = eventFilters.filter((type) => type.endsWith('.*'))
    assert.deepEqual(await readTypes(await make(whole.join(','))), whole)
  })

  test('keeps an old unknown type, but accepts no other one', async () => {
    const guid = await make('debtor.*')
    await api.sql`update webhook set types = ${['debtor.*', 'debtor.opened']} where id = ${guid}`
    assert.deepEqual(await readTypes(guid), ['debtor.*', 'debtor.opened'])
    const opened = await api.call<{ types: string }>('GET', `${editPath(guid)}&initialValues=true`)
    assert.equal(opened.body.types, 'debtor.*,debtor.opened')
    const store = (body: object) => api.call<Refusal>('PATCH', editPath(guid), { body })
    for (const body of [
      { description: 'Ours' },
      { types: opened.body.types, description: 'Still ours' },
      { types: 'debtor.opened,case.*' },
    ])
      assert.equal((await store(body)).status, 200, JSON.stringify(body))
    assert.deepEqual(await readTypes(guid), ['debtor.opened', 'case.*'])
    const refused = await store({ types: 'debtor.opened,debtor.shut' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors['types']![0]!, /: debtor\.shut is none/)
    assert.deepEqual(await readTypes(guid), ['debtor.opened', 'case.*'])
    // A type that is removed cannot be added again.
    assert.equal((await store({ types: 'case.*' })).status, 200)
    assert.equal((await store({ types: 'case.*,debtor.opened' })).status, 400)
  })
})
