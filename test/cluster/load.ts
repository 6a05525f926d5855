/** Debtors and payments, written without a pause and each until it is acknowledged. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { admin } from './cluster.ts'

export interface Server {
  name: string
  address: string
}

interface Answer {
  status: number
  body: Record<string, string>
  retryAfter: string | null
}

async function call(
  server: Server,
  token: string | null,
  path: string,
  body: object,
  key?: string,
): Promise<Answer> {
  const response = await fetch(`http://${server.address}:3000/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  })
  const text = (await response.json()) as Record<string, string>
  return { status: response.status, body: text, retryAfter: response.headers.get('retry-after') }
}

async function make(
  server: Server,
  token: string | null,
  path: string,
  body: object,
): Promise<Record<string, string>> {
  const answer = await call(server, token, path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** What a server refused, and whether it said when to come again. */
export type Refusals = Map<string, number>

export class Load {
  /** Acknowledged, with what a server called them. */
  readonly debtors: string[] = []
  readonly payments: string[] = []
  readonly refusals: Refusals = new Map()
  /** When each server acknowledged something: moments of `performance.now()`. */
  readonly acknowledged = new Map<string, number[]>()
  #running: Promise<void>[] = []
  #over = false

  async start(servers: readonly Server[], writersEach: number): Promise<void> {
    const [first] = servers as [Server]
    const { accessToken: token } = await make(first, null, '/auth/login', admin)
    const client = { name: 'Creditor', partyReferenceCode: 'CREDITOR' }
    const { clientGuid } = await make(first, token!, '/system/forms/client/create', client)
    for (const server of servers) {
      this.acknowledged.set(server.name, [])
      for (let writer = 0; writer < writersEach; writer++) {
        const { debtorGuid } = await make(server, token!, '/debtors', { lastname: 'Owing' })
        const debt = { clientGuid, debtorGuid, principal: 1_000_000, currencyCode: 'SEK' }
        const { caseGuid } = await make(server, token!, '/system/forms/case/register', debt)
        this.#running.push(this.#write(server, token!, caseGuid!))
      }
    }
  }

  async #write(server: Server, token: string, caseGuid: string): Promise<void> {
    while (!this.#over) {
      const debtor = await this.#untilDone(server, token, '/debtors', { lastname: 'Written' })
      this.debtors.push(debtor['debtorGuid']!)
      const payment = await this.#untilDone(server, token, '/system/forms/payment/register', {
        caseGuid,
        amount: 1,
      })
      this.payments.push(payment['paymentGuid']!)
    }
  }

  /** One request with one key, sent again until it is answered by what was made. */
  async #untilDone(
    server: Server,
    token: string,
    path: string,
    body: object,
  ): Promise<Record<string, string>> {
    const key = randomUUID()
    for (;;) {
      const answer = await call(server, token, path, body, key)
      if (answer.status === 201) {
        this.acknowledged.get(server.name)!.push(performance.now())
        return answer.body
      }
      const what = `${answer.status} ${answer.body['code']}${answer.retryAfter === null ? ' without Retry-After' : ''}`
      this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1)
      await sleep(200)
    }
  }

  /** Waits until each server has acknowledged so many more than now. */
  async hear(more: number): Promise<void> {
    const goals = [...this.acknowledged].map(([name, moments]) => ({ name, goal: moments.length + more }))
    while (goals.some(({ name, goal }) => this.acknowledged.get(name)!.length < goal)) await sleep(100)
  }

  /** For how many seconds each server acknowledged nothing, at the longest, from a moment on. */
  silences(sinceMs: number): { name: string; seconds: number }[] {
    return [...this.acknowledged].map(([name, all]) => {
      const moments = [sinceMs, ...all.filter((moment) => moment > sinceMs)]
      const gaps = moments.slice(1).map((moment, index) => moment - moments[index]!)
      return { name, seconds: Math.round(Math.max(...gaps) / 100) / 10 }
    })
  }

  async stop(): Promise<void> {
    this.#over = true
    await Promise.all(this.#running)
  }
}
