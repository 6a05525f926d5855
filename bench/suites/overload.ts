/** What a server still answers when five times as many requests arrive as it works on at once. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { basePath } from '../../contract/api.ts'
import { dropDatabase, prepareDatabase, type BenchServer } from '../load/databases.ts'
import { signIn, startProduct } from '../drive/servers.ts'
import { formatTable } from '../report/table.ts'

interface OverloadOptions {
  debtors: number
  seconds: number
  folder: string
  report: (line: string) => void
}

const path = `${basePath}/debtors?$top=25&$orderby=fullName`
/** The most that the service works on at once, as set by default. */
const maxInFlight = 64
const times = 5
const peakConnections = [16, maxInFlight, 256]
const probeEveryMs = 250

interface Outcome {
  answered: number
  refused: number
  /** Refusals without Retry-After, other statuses, broken connections: there should be none. */
  wrong: number
  perSecond: number
  /** The longest answer of /health/live meanwhile, in milliseconds. */
  healthMs: number
}

export async function runOverloadBench(server: BenchServer, options: OverloadOptions): Promise<void> {
  const url = await prepareDatabase(server, options.debtors, options.report)
  try {
    const settings = { FORDRA_MAX_IN_FLIGHT: String(maxInFlight), FORDRA_MAX_PER_CALLER: '100000' }
    const product = await startProduct({ url, folder: options.folder, settings })
    try {
      const { address } = product
      const token = await signIn(address)
      const measure = (connections: number) =>
        driveAll({ address, token, connections, seconds: options.seconds })
      const peaks: Outcome[] = []
      for (const connections of peakConnections) {
        options.report(`Sending from ${connections} connections`)
        peaks.push(await measure(connections))
      }
      const peak = Math.max(...peaks.map(({ perSecond }) => perSecond))
      options.report(`Sending from ${times * maxInFlight} connections`)
      const overload = await measure(times * maxInFlight)
      const after = await measure(peakConnections[1]!)
      print(peak, overload, after)
    } finally {
      await product.stop()
    }
  } finally {
    await dropDatabase(server, url)
  }
}

interface Drive {
  address: string
  token: string
  connections: number
  seconds: number
}

/** Each connection sends the next request as soon as it has an answer, and does not heed Retry-After. */
async function driveAll({ address, token, connections, seconds }: Drive): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const until = performance.now() + seconds * 1_000
  const outcome: Outcome = { answered: 0, refused: 0, wrong: 0, perSecond: 0, healthMs: 0 }
  const one = async () => {
    while (performance.now() < until) {
      const { status, retryAfter } = await ask(`${address}${path}`, agent, token)
      if (status === 200) outcome.answered++
      else if ((status === 503 || status === 429) && retryAfter) outcome.refused++
      else outcome.wrong++
    }
  }
  const probe = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await ask(`${address}/health/live`)
      outcome.healthMs = Math.max(outcome.healthMs, performance.now() - startedAt)
      await sleep(probeEveryMs)
    }
  }
  await Promise.all([probe(), ...Array.from({ length: connections }, one)])
  agent.destroy()
  outcome.perSecond = outcome.answered / seconds
  return outcome
}

const ask = (url: string, agent?: Agent, token?: string) =>
  new Promise<{ status: number; retryAfter: boolean }>((resolve) => {
    const failed = () => resolve({ status: 0, retryAfter: false })
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    request(url, { headers, ...(agent && { agent }) }, (response) => {
      response
        .resume()
        .on('error', failed)
        .on('end', () => {
          const retryAfter = response.headers['retry-after'] !== undefined
          resolve({ status: response.statusCode ?? 0, retryAfter })
        })
    })
      .on('error', failed)
      .end()
  })

const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`

function print(peak: number, overload: Outcome, after: Outcome): void {
  const row = (name: string, { perSecond, refused, wrong, healthMs }: Outcome) => [
    name,
    percent(perSecond, peak),
    String(refused),
    String(wrong),
    String(Math.round(healthMs)),
  ]
  const lines = formatTable(
    [
      'load',
      'answered, of the peak',
      'refused with Retry-After',
      'anything else',
      'slowest health check (ms)',
    ],
    [row(`${times} times capacity`, overload), row('just after', after)],
  )
  process.stdout.write(`${lines}\n`)
}
