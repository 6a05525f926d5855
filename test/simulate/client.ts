/**
 * The clients of a run. They lose answers, send twice, and repeat with their idempotency key what they heard no answer to.
 * What they heard is kept, to be compared with what the database holds.
 */
import { randomUUID } from 'node:crypto'
import type { Answer, Attempt, Body, RequestRecord, Sent, World } from './world.ts'
import type { Random } from './random.ts'

const passing = new Set([429, 502, 503, 504])
const triesMax = 40
/** How often a write is tried dry before, and its key misused afterwards. */
const rarely = 0.04

interface Request {
  method: string
  path: string
  token: string | null
  key: string | undefined
  sent: Sent
}

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
    if (isPlainWrite(sent) && this.#random.chance(rarely)) await this.#tryDry(name, path, sent)
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
      const request: Request = { method, path, token, key, sent }
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
          if (key !== undefined && answer.status! < 300 && this.#random.chance(rarely))
            await this.#misuseKey(record, { ...request, key })
          return toAnswer(answer)
        }
        if (!keyed && method !== 'GET') return undefined
      } else if (!keyed && method !== 'GET') return undefined
      await simulation.scheduler.sleep()
    }
    return undefined
  }

  /** The same as a dry run, which changes nothing. */
  async #tryDry(name: string, path: string, sent: Sent): Promise<void> {
    const { method = 'GET', token = this.#simulation.fixture.tokens.admin } = sent
    const request = { method, path: `${path}${path.includes('?') ? '&' : '?'}dryRun=true`, token, sent }
    await this.#probe(`${name}, a dry run`, { ...request, key: undefined })
  }

  /** Another body with a key that has its answer is refused, and changes nothing. */
  async #misuseKey({ name }: RequestRecord, request: Request): Promise<void> {
    const body = varyBody(request.sent.body)
    if (body === undefined) return
    const varied = { ...request, sent: { ...request.sent, body } }
    const { status = 0 } = await this.#probe(`${name}, another body by its key`, varied)
    if (status >= 200 && status < 300)
      this.#simulation.fail(`${name} was answered ${status} by a key that another body had used.`)
  }

  /** A request that is sent once and must not change anything. */
  async #probe(name: string, request: Request): Promise<Attempt> {
    this.#requests++
    const { method, path } = request
    const record: RequestRecord = {
      operation: this.#operation,
      name,
      method,
      path,
      keyed: false,
      audited: 'never',
      secret: false,
      changesNothing: true,
      attempts: [],
    }
    this.#simulation.requests.push(record)
    const attempt = await this.#attempt(record, request, false)
    record.final = attempt
    return attempt
  }

  async #attempt(
    record: RequestRecord,
    { method, path, token, key, sent }: Request,
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

/** A write of records, by somebody who is signed in. */
const isPlainWrite = ({ method = 'GET', body, token, audited }: Sent): boolean =>
  method !== 'GET' && typeof body !== 'string' && token !== null && audited !== 'never'

/** The body with another number in it; undefined where it has none. */
function varyBody(body: unknown): Record<string, unknown> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const number = Object.entries(body).find(([, value]) => typeof value === 'number')
  return number && { ...body, [number[0]]: (number[1] as number) + 1 }
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
