/**
 * The clients of a run. They lose answers, send twice, and repeat with their idempotency key what they heard no answer to.
 * What they heard is kept, to be compared with what the database holds.
 */
import { randomUUID } from 'node:crypto'
import type { Answer, Attempt, Body, RequestRecord, Sent, World } from './world.ts'
import type { Random } from './random.ts'

const passing = new Set([429, 502, 503, 504])
const triesMax = 40

export class Client {
  readonly #simulation: World
  readonly #operation: number
  readonly #random: Random
  #requests = 0

  constructor(simulation: World, operation: number, random: Random) {
    this.#simulation = simulation
    this.#operation = operation
    this.#random = random
  }

  /** Undefined when it remains unknown whether it was done. */
  async send(name: string, path: string, sent: Sent = {}): Promise<Answer | undefined> {
    const simulation = this.#simulation
    const { method = 'GET', token = simulation.fixture.tokens.admin } = sent
    const mayHaveKey = method === 'POST' && sent.audited !== 'never' && sent.unkeyed !== true
    // Not every client sends keys. It then never repeats.
    const keyed = mayHaveKey && !this.#random.chance(0.1)
    const record: RequestRecord = {
      operation: this.#operation,
      name,
      method,
      path,
      keyed,
      audited: sent.audited ?? (method === 'GET' ? 'never' : 'perhaps'),
      ...(sent.ifMatch !== undefined && { ifMatch: sent.ifMatch }),
      secret: sent.secret === true,
      attempts: [],
    }
    simulation.requests.push(record)
    const number = ++this.#requests
    const key = keyed ? `key-${simulation.seed}-${this.#operation}-${number}-${randomUUID()}` : undefined
    const { lost, doubled } = simulation.faults
    for (let tries = 1; tries <= triesMax; tries++) {
      const isLost = keyed && tries < 3 && this.#random.chance(lost)
      const isDoubled = keyed && tries < 3 && this.#random.chance(doubled)
      const request = { method, path, token, key, sent }
      const twin = isDoubled ? this.#attempt(record, request, false) : undefined
      const attempt = await this.#attempt(record, request, isLost)
      const other = await twin
      const answer = isHeard(attempt) ? attempt : other && isHeard(other) ? other : undefined
      if (answer) {
        const isInFlight = answer.status === 409 && answer.body!.includes('idempotency-in-flight')
        // A service refuses so; a repetition would not help.
        const isRefusal = isServiceFailure(answer)
        if ((isRefusal || !passing.has(answer.status!)) && !isInFlight) {
          record.final = answer
          return toAnswer(answer)
        }
        if (!keyed && method !== 'GET') return undefined
      } else if (!keyed && method !== 'GET') return undefined
      await simulation.scheduler.sleep()
    }
    return undefined
  }

  async #attempt(
    record: RequestRecord,
    {
      method,
      path,
      token,
      key,
      sent,
    }: { method: string; path: string; token: string | null; key: string | undefined; sent: Sent },
    isLost: boolean,
  ): Promise<Attempt> {
    const simulation = this.#simulation
    const node = await simulation.findNode(this.#random)
    const id = `sim-${this.#operation}-${this.#requests}-${record.attempts.length + 1}`
    const attempt: Attempt = { id, node: node.name, heard: false }
    record.attempts.push(attempt)
    simulation.note(`${id} ${node.name} ${method} ${path}${key === undefined ? '' : ' keyed'}`)
    const response = await node.inject({
      method: method as 'GET',
      url: `/api/v1${path}`,
      headers: {
        'x-request-id': id,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(sent.ifMatch !== undefined && { 'if-match': sent.ifMatch }),
        ...(sent.body !== undefined && {
          'content-type': typeof sent.body === 'string' ? 'application/octet-stream' : 'application/json',
        }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { payload: sent.body as object }),
    })
    simulation.scheduler.reach(id)
    if (!response) {
      simulation.note(`${id} died with ${node.name}`)
      return attempt
    }
    attempt.status = response.statusCode
    attempt.body = response.body
    attempt.heard = !isLost
    const { etag, 'idempotency-replayed': replayed } = response.headers
    if (typeof etag === 'string') attempt.etag = etag
    attempt.replayed = replayed === 'true'
    const detail = response.statusCode >= 400 ? ` ${response.body.slice(0, 240)}` : ''
    simulation.note(
      `${id} ${response.statusCode}${isLost ? ' lost' : ''}${attempt.replayed ? ' replayed' : ''}${detail}`,
    )
    simulation.checkAnswer(record, attempt)
    return attempt
  }
}

export const isServiceFailure = ({ status, body = '' }: Attempt): boolean =>
  (status === 502 && body.includes('"code":"service-failed"')) ||
  // The time of its thread is not simulated.
  (status === 504 && body.includes('/problems/service-timeout'))

const isHeard = (attempt: Attempt): boolean => attempt.heard && attempt.status !== undefined

function toAnswer({ status, body, etag }: Attempt): Answer {
  let parsed: Body = {}
  try {
    parsed = JSON.parse(body!) as Body
  } catch {
    // A file.
  }
  return { status: status!, body: parsed, text: body!, etag }
}
