/** Drives a load by autocannon and prints its figures. A process of its own, see drive.ts. */
import { readFile } from 'node:fs/promises'
import autocannon from 'autocannon'
import { buildHeaders, type Load } from './requests.ts'
import { computePercentile, type Figures } from '../report/statistics.ts'

const load = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as Load
const requests = load.requests.map((request) => ({
  method: request.method,
  path: request.path,
  headers: buildHeaders(load, request),
  ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
}))
let connection = 0
const run = autocannon({
  url: load.address,
  connections: load.connections,
  duration: load.seconds,
  timeout: 30,
  requests: requests.slice(0, 1),
  // Each connection goes round its own requests, so that none is sent twice before all have been.
  setupClient: (client) => {
    const share = Math.max(1, Math.floor(requests.length / load.connections))
    const first = (connection++ * share) % requests.length
    client.setRequests(requests.slice(first, first + share))
  },
})
// Its own histogram knows whole milliseconds only.
const latencies: number[] = []
let [first, last] = [Number.NaN, Number.NaN]
run.on('response', (_client: unknown, _status: number, _bytes: number, ms: number) => {
  latencies.push(ms)
  last = performance.now()
  // Its own duration has the time in it that many requests take to be made.
  if (latencies.length === 1) first = last - ms
})
const result = await run
const sorted = Float64Array.from(latencies).toSorted()
const figures: Figures = {
  rate: latencies.length === 0 ? 0 : (latencies.length / (last - first)) * 1000,
  p50: computePercentile(sorted, 50),
  p99: computePercentile(sorted, 99),
  errors: result.errors + result.timeouts + result.non2xx,
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
