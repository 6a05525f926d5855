/**
 * Sends requests at a rate that does not depend on the answers (an open loop), as users do who know nothing of each
 * other. A closed loop sends the next request only when one was answered, so it can never overload a service.
 */
import { PlainConnection, type PlainAnswer } from './plain-connection.ts'

export interface PlainRequest<Kind extends string = string> {
  kind: Kind
  bytes: Buffer
}

/** What became of the requests of one measurement. Times in milliseconds. */
export interface Sent {
  /** Answered 2xx before the end of the measurement, by kind. */
  answered: Record<string, number>
  /** Of all that were answered 2xx, in time or late. */
  latencies: number[]
  /** 429 and 503 with Retry-After. */
  refused: number
  /** Anything else, by status; 0 for connections that ended without an answer. */
  wrong: Record<string, number>
  /** Not sent, as no connection was free. */
  unsent: number
  /** Answered 2xx after the end of the measurement. */
  late: number
}

export interface LoadPlan {
  address: string
  connections: number
  seconds: number
  /** Taken one after the other, from the first again after the last. */
  requests: readonly PlainRequest[]
}

const tickMs = 2

/** Returns when the time is over; `rest` resolves when the last request is answered. */
export async function sendAtRate(
  { address, connections, seconds, requests }: LoadPlan,
  perSecond: number,
): Promise<{ sent: Sent; rest: Promise<void> }> {
  const senders = new Senders(address, connections)
  const startedAt = performance.now()
  const total = Math.round(perSecond * seconds)
  let due = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const until = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
      for (; due < until; due++) senders.send(requests[due % requests.length]!)
      if (due < total) return
      clearInterval(timer)
      resolve()
    }, tickMs)
  })
  senders.end()
  return { sent: senders.sent, rest: senders.idle() }
}

/** Each connection sends its next request as soon as it has an answer: finds the rate that the service reaches. */
export async function sendInTurns({ address, connections, seconds, requests }: LoadPlan): Promise<Sent> {
  const senders = new Senders(address, connections)
  const until = performance.now() + seconds * 1_000
  let next = 0
  const sendNext = () => {
    if (performance.now() < until) senders.send(requests[next++ % requests.length]!, sendNext)
  }
  for (let connection = 0; connection < connections; connection++) sendNext()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  senders.end()
  await senders.idle()
  return senders.sent
}

/** A bounded number of connections; one that ended is replaced when the next request needs it. */
class Senders {
  readonly sent: Sent = { answered: {}, latencies: [], refused: 0, wrong: {}, unsent: 0, late: 0 }
  readonly #address: string
  readonly #free: PlainConnection[] = []
  readonly #connections: number
  #open = 0
  #underWay = 0
  #isOver = false
  #whenIdle: (() => void) | undefined

  constructor(address: string, connections: number) {
    this.#address = address
    this.#connections = connections
  }

  send({ kind, bytes }: PlainRequest, then?: () => void): void {
    const connection = this.#take()
    if (!connection) {
      this.sent.unsent++
      return
    }
    this.#underWay++
    const sentAt = performance.now()
    connection.send(bytes, (answer) => {
      this.#count(kind, answer, performance.now() - sentAt)
      this.#giveBack(connection)
      then?.()
    })
  }

  end(): void {
    this.#isOver = true
  }

  /** Resolves when everything is answered, and closes the connections. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
    for (const connection of this.#free) connection.close()
  }

  #take(): PlainConnection | undefined {
    const free = this.#free.pop()
    if (free?.isOpen) return free
    if (free) this.#open--
    if (this.#open >= this.#connections) return undefined
    this.#open++
    return new PlainConnection(this.#address)
  }

  #giveBack(connection: PlainConnection): void {
    this.#underWay--
    this.#free.push(connection)
    if (this.#underWay === 0) this.#whenIdle?.()
  }

  #count(kind: string, { status, hasRetryAfter }: PlainAnswer, ms: number): void {
    const { sent } = this
    if (status >= 200 && status < 300) {
      sent.latencies.push(ms)
      if (this.#isOver) sent.late++
      else sent.answered[kind] = (sent.answered[kind] ?? 0) + 1
    } else if ((status === 503 || status === 429) && hasRetryAfter) sent.refused++
    else sent.wrong[status] = (sent.wrong[status] ?? 0) + 1
  }
}
