/** The AsyncAPI document: valid by its project's own schema, its examples by the document, and what a running service sends too. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { AsyncApiDocument } from '../contract/asyncapi/asyncapi-document.ts'
import { asyncApiDocument } from '../contract/asyncapi/asyncapi.ts'
import { eventTypes } from '../contract/platform/event-types.ts'
import type { Event } from '../contract/platform/events.ts'
import { createDeliveries } from '../server/integration/feed/create-deliveries.ts'
import { startApi, type TestApi } from '../server/testing/api.ts'
import { runJobs } from '../server/testing/jobs.ts'
import { makeRecords } from '../server/testing/records/samples.ts'

const document = asyncApiDocument({ version: '1.0.0', serverUrl: 'https://agency.example' })

const specs = createRequire(import.meta.url)('@asyncapi/specs') as {
  schemasWithoutId: Record<string, object>
}
const official = new Ajv({ strict: false, allErrors: true, logger: false })
addFormats.default(official)
const checkDocument = official.compile(specs.schemasWithoutId['3.0.0']!)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'fordra:events', components: document.components })

type Form = 'stream' | 'webhook'

/** What of an event is not as the document says; none for a right one. */
function findFaults(form: Form, type: string, payload: unknown): string[] {
  const check = ajv.getSchema(`fordra:events#/components/messages/${form}.${type}/payload`)
  assert.ok(check, `${form}.${type} is no message`)
  void check(payload)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('the AsyncAPI document', () => {
  test('is valid by the schema of AsyncAPI 3.0.0, with a server that is known or not', () => {
    for (const one of [document, asyncApiDocument({ version: '1' })])
      assert.ok(checkDocument(one), JSON.stringify(checkDocument.errors?.slice(0, 3)))
  })

  test('would not be with a fault', () => {
    const faults: ((wrong: AsyncApiDocument) => void)[] = [
      (wrong) => delete (wrong.operations['sendToWebhook'] as { action?: string }).action,
      (wrong) => Object.assign(wrong.channels['events']!, { adress: '/events' }),
      (wrong) => Object.assign(wrong.servers['installation']!, { host: 7 }),
    ]
    for (const plant of faults) {
      const wrong = structuredClone(document)
      plant(wrong)
      assert.ok(!checkDocument(wrong), String(plant))
    }
  })

  test('has every reference that it names', () => {
    const text = JSON.stringify(document)
    for (const [, path] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let found: unknown = document
      for (const part of path!.split('/')) found = (found as Record<string, unknown>)[part]
      assert.ok(found, path)
    }
  })

  test('has each type in both channels, with an example that fits its schema', () => {
    for (const channel of Object.values(document.channels))
      assert.deepEqual(Object.keys(channel.messages), eventTypes)
    for (const type of eventTypes) {
      for (const form of ['stream', 'webhook'] as const) {
        const [example] = document.components.messages[`${form}.${type}`]!.examples
        assert.deepEqual(findFaults(form, type, example!.payload), [], `${form}.${type}`)
      }
    }
  })
})

const payment = () =>
  structuredClone(document.components.messages['stream.payment.allocated']!.examples[0]!.payload) as Event

describe('a payload', () => {
  const planted: [string, (event: Event) => unknown, RegExp][] = [
    ['of another type', (event) => (event.type = 'payment.registered'), /\/type must be equal to constant/],
    ['without its subject', (event) => delete (event as Partial<Event>).subject, /'subject'/],
    ['with an id that is none', (event) => (event.data['caseGuid'] = '1000017'), /\/data\/caseGuid .*uuid/],
    ['without a member', (event) => delete event.data['paymentGuid'], /'paymentGuid'/],
    [
      'with a time for a day',
      (event) => (event.data['valueDate'] = '2026-03-02T00:00:00Z'),
      /valueDate .*date/,
    ],
    [
      'with an amount in words',
      (event) => ((event.data['minorAmounts'] as Record<string, unknown>)['cost'] = '170.00'),
      /minorAmounts\/cost must be integer/,
    ],
  ]
  for (const [how, plant, fault] of planted)
    test(`${how} is refused by the document`, () => {
      const event = payment()
      assert.deepEqual(findFaults('stream', event.type, event), [])
      plant(event)
      assert.match(findFaults('stream', 'payment.allocated', event).join('; '), fault)
    })
})

describe('of a running service', () => {
  let api: TestApi
  let runner: Awaited<ReturnType<typeof runJobs>>
  const delivered: { body: Event; headers: Record<string, unknown> }[] = []
  const receiver = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      delivered.push({ body: JSON.parse(text) as Event, headers: request.headers })
      response.writeHead(204).end()
    })
  })
  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    api = await startApi({ FORDRA_PRIVATE_TARGETS: '1' })
    runner = await runJobs(api)
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const body = { url, types: 'case.*,payment.*,invoice.*,client.*,webhook.*' }
    const made = await api.call('POST', '/system/forms/webhook/create', { body })
    assert.equal(made.status, 201, made.text)
    await makeRecords(api)
  })
  after(async () => {
    await runner.stop()
    await api.close()
    receiver.closeAllConnections()
    receiver.close()
  })

  test('the document is served', async () => {
    const response = await fetch(`${api.address}/api/v1/asyncapi.json`)
    assert.equal(response.status, 200)
    const body = (await response.json()) as AsyncApiDocument
    assert.deepEqual(Object.keys(body.components.messages), Object.keys(document.components.messages))
    assert.ok(checkDocument(body))
  })

  const readEvents = async () => (await api.call<{ value: Event[] }>('GET', '/events?limit=500')).body.value

  test('each event of the stream fits its message', async () => {
    // The stream holds events back while any transaction of the server is older, those of other tests too.
    let events = await readEvents()
    while (new Set(events.map(({ type }) => type)).size < 10) {
      await sleep(50)
      events = await readEvents()
    }
    for (const event of events) assert.deepEqual(findFaults('stream', event.type, event), [], event.type)
  })

  test('each delivery to a webhook fits its message, headers too', async () => {
    const wanted = ['webhook.pinged', 'case.registered', 'payment.allocated', 'invoice.created']
    while (!wanted.every((type) => delivered.some(({ body }) => body.type === type))) {
      await createDeliveries(api.sql)
      await sleep(50)
    }
    for (const { body, headers } of delivered) {
      assert.deepEqual(findFaults('webhook', body.type, body), [], body.type)
      const { headers: described } = document.components.messages[`webhook.${body.type}`]!
      assert.ok(ajv.validate(described!, headers), ajv.errorsText())
    }
  })
})
