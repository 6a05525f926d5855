/** Traces and metrics as a collector receives them. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { Registry, Counter, Gauge, Histogram } from 'prom-client'
import { readSettings } from '../config.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { findFreePort } from '../../testing/servers/free-port.ts'
import { toOtlpMetrics } from './otlp-metrics.ts'
import { readTraceParent, type Span } from './otlp-trace.ts'
import { startTelemetry } from './start-telemetry.ts'

interface Resource {
  attributes: { key: string; value: { stringValue: string } }[]
}
interface Sent {
  path: string
  headers: Record<string, unknown>
  body: {
    resourceSpans?: { resource: Resource; scopeSpans: { spans: Span[] }[] }[]
    resourceMetrics?: { resource: Resource; scopeMetrics: { metrics: { name: string }[] }[] }[]
  }
}
let collector: Server
let address = ''
let answer = 200
const sent: Sent[] = []
let api: TestApi
before(async () => {
  collector = createServer(async (request, response) => {
    sent.push({ path: request.url!, headers: request.headers, body: (await json(request)) as Sent['body'] })
    response.writeHead(answer).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  api = await startApi()
})
after(async () => {
  await api.close()
  collector.close()
})

const createSettings = (more: Record<string, string> = {}) => ({
  ...readSettings({ FORDRA_OTLP_URL: address, ...more }),
  FORDRA_OTLP_URL: address,
})
const sentSpans = () =>
  sent
    .flatMap(({ body }) => body.resourceSpans ?? [])
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'

async function observe(settings: Record<string, string>, work: () => Promise<unknown>): Promise<unknown[]> {
  sent.length = 0
  const errors: unknown[] = []
  const telemetry = startTelemetry(createSettings(settings), (error) => errors.push(error))
  await work()
  // The answer is sent before its end is observed.
  await api.app.http.inject({ url: '/health/live' })
  await telemetry.stop()
  return errors
}

describe('traces', () => {
  test("have a span for each request, with its caller's span as parent", async () => {
    const headers = { traceparent: `00-${trace}-${parent}-01` }
    const errors = await observe({ FORDRA_OTLP_HEADERS: 'Authorization=Bearer%20abc' }, () =>
      api.call('GET', "/debtors?$filter=fullName eq 'Hemlig'", { headers }),
    )
    assert.deepEqual(errors, [])
    const span = sentSpans().find(({ traceId }) => traceId === trace)!
    assert.equal(span.parentSpanId, parent)
    assert.equal(span.name, 'GET /api/v1/debtors')
    assert.ok(BigInt(span.endTimeUnixNano) > BigInt(span.startTimeUnixNano))
    const attributes = Object.fromEntries(
      span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    )
    assert.equal(attributes['http.response.status_code'], '200')
    assert.equal(attributes['fordra.operation'], 'listDebtors')
    assert.doesNotMatch(JSON.stringify(sent), /Hemlig/)
    assert.equal(sent[0]!.headers['authorization'], 'Bearer abc')
  })

  test('leave out what the caller, or sampling, excludes', async () => {
    const off = { traceparent: `00-${trace}-${parent}-00` }
    await observe({}, () => api.call('GET', '/debtors', { headers: off }))
    assert.ok(!sentSpans().some(({ traceId }) => traceId === trace))
    await observe({ FORDRA_TRACE_PERCENT: '0' }, () => api.call('GET', '/debtors'))
    assert.equal(sentSpans().length, 0)
  })

  test('are dropped when the collector refuses them, and that is logged', async () => {
    answer = 500
    const errors = await observe({}, () => api.call('GET', '/debtors'))
    answer = 200
    assert.match(String(errors[0]), /answered 500/)
  })

  test('are dropped when there is no collector, and the log says so', async () => {
    const errors: unknown[] = []
    const nobody = { ...createSettings(), FORDRA_OTLP_URL: `http://127.0.0.1:${await findFreePort()}` }
    const telemetry = startTelemetry(nobody, (error) => errors.push(error))
    await telemetry.stop()
    assert.equal(String(errors[0]), 'Error: The OpenTelemetry collector could not be reached (ECONNREFUSED).')
  })

  for (const [header, isRead] of [
    [`00-${trace}-${parent}-01`, true],
    [`00-${trace}-${parent}-01-more`, true],
    [`ff-${trace}-${parent}-01`, false],
    [`00-${'0'.repeat(32)}-${parent}-01`, false],
    [`00-${trace}-${'0'.repeat(16)}-01`, false],
    [`00-${trace.toUpperCase()}-${parent}-01`, false],
    ['x', false],
    [undefined, false],
  ] as const) {
    test(`traceparent ${header} is ${isRead ? '' : 'not '}read`, () =>
      assert.equal(readTraceParent(header) !== undefined, isRead))
  }
})

describe('figures', () => {
  test('are those of /metrics', async () => {
    await observe({}, () => api.call('GET', '/debtors'))
    const names = sent
      .flatMap(({ body }) => body.resourceMetrics ?? [])
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)))
    assert.ok(names.includes('fordra_request_seconds') && names.includes('fordra_requests_in_flight'))
    await observe({ FORDRA_METRICS: '0' }, () => api.call('GET', '/debtors'))
    assert.ok(!sent.some(({ path }) => path === '/v1/metrics'))
  })

  test('and spans name their node, so that counters of nodes are separate', async () => {
    await observe({}, () => api.call('GET', '/debtors'))
    const told = sent
      .flatMap(({ body }) => [...(body.resourceSpans ?? []), ...(body.resourceMetrics ?? [])])
      .map(({ resource }) => resource.attributes.find(({ key }) => key === 'service.instance.id'))
    assert.ok(told.length >= 2)
    assert.match(told[0]!.value.stringValue, /^[0-9a-f-]{36}$/)
    for (const one of told) assert.deepEqual(one, told[0])
  })

  test('keep their meaning in the other format', async () => {
    const registry = new Registry()
    const histogram = new Histogram({
      name: 'h',
      help: 'h',
      labelNames: ['a'],
      buckets: [1, 2],
      registers: [registry],
    })
    for (const value of [0.5, 1.5, 1.6, 9]) histogram.observe({ a: 'x' }, value)
    new Gauge({ name: 'g', help: 'g', registers: [registry] }).set(3)
    new Counter({ name: 'c', help: 'c', registers: [registry] }).inc(2)
    const made = toOtlpMetrics(await registry.getMetricsAsJSON(), '1', '2')
    const times = { startTimeUnixNano: '1', timeUnixNano: '2' }
    const attributes = [{ key: 'a', value: { stringValue: 'x' } }]
    assert.deepEqual(made, [
      {
        name: 'h',
        description: 'h',
        histogram: {
          aggregationTemporality: 2,
          dataPoints: [
            {
              ...times,
              attributes,
              count: '4',
              sum: 12.6,
              explicitBounds: [1, 2],
              bucketCounts: ['1', '2', '1'],
            },
          ],
        },
      },
      { name: 'g', description: 'g', gauge: { dataPoints: [{ ...times, asDouble: 3, attributes: [] }] } },
      {
        name: 'c',
        description: 'c',
        sum: {
          isMonotonic: true,
          aggregationTemporality: 2,
          dataPoints: [{ ...times, asDouble: 2, attributes: [] }],
        },
      },
    ])
  })
})
