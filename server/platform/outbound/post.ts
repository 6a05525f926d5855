/**
 * Posts to a configured address, or reads a document from it. The name is resolved once and checked, and the connection
 * uses exactly that address: a changed answer between check and call (DNS rebinding) has no effect. Redirects are not
 * followed, and the answer is read only up to the limit.
 */
import { lookup as lookupName, type LookupAddress } from 'node:dns'
import {
  Agent as HttpAgent,
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { logDuration } from '../log/log-detail.ts'
import { isPublicAddress } from './addresses.ts'

export type Resolve = (name: string) => Promise<LookupAddress[]>

export interface OutboundOptions {
  /** Allows private addresses and plain HTTP. */
  allowPrivate: boolean
  resolve?: Resolve
  /** Certificates trusted in addition to the system's, for tests. */
  authorities?: string
  /** Maximum connections per host; further requests wait. */
  socketsMax?: number
}

export interface OutboundAnswer {
  status: number
  /** The body, up to the limit. */
  body: Buffer
  /** True if the body was longer than the limit. */
  cut: boolean
  headers: IncomingHttpHeaders
}

export interface OutboundRead {
  headers: Record<string, string>
  /** Counts from when the request has its connection; a waiting request does not time out. */
  timeoutMs: number
  /** Throws OutboundBusy when the request has no connection for so long. Without it, it waits for one. */
  waitMs?: number
  bytesMax: number
  signal?: AbortSignal
}

export interface OutboundRequest extends OutboundRead {
  body: string
}

export interface Outbound {
  /** Throws OutboundFailure when there is no answer. */
  post(url: string, request: OutboundRequest): Promise<OutboundAnswer>
  /** The same by GET. */
  get(url: string, request: OutboundRead): Promise<OutboundAnswer>
  /** Says what is wrong with an address without calling it; undefined for a valid one. */
  findFault(url: string): string | undefined
  close(): void
}

/** Why there was no answer, without data of the request or the answer. */
export class OutboundFailure extends Error {}
/** Nothing was sent: all connections to the host were in use. */
export class OutboundBusy extends OutboundFailure {}

const resolveName: Resolve = (name) =>
  new Promise((resolve, reject) => {
    lookupName(name, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found),
    )
  })

export function openOutbound(options: OutboundOptions): Outbound {
  const { allowPrivate, resolve = resolveName, authorities, socketsMax = 32 } = options
  const lookup: LookupFunction = (name, { all }, done) => {
    resolve(name).then(
      (found) => {
        const refused =
          found.length === 0 || (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
        if (refused)
          return done(new OutboundFailure(`The address leads to a private network. ${howToAllow}`), '', 0)
        return all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)
      },
      (error: Error) => done(error, '', 0),
    )
  }
  const agentOptions = {
    keepAlive: true,
    maxSockets: socketsMax,
    maxFreeSockets: 8,
    scheduling: 'lifo' as const,
  }
  const agents = {
    'http:': new HttpAgent(agentOptions),
    'https:': new HttpsAgent({ ...agentOptions, ...(authorities !== undefined && { ca: authorities }) }),
  }
  const findFault = (url: string) => checkAddress(url, allowPrivate)
  const call = async (url: string, request: OutboundRead & { body?: string }) => {
    const fault = findFault(url)
    if (fault !== undefined) throw new OutboundFailure(`The address ${fault}`)
    const { host } = new URL(url)
    const line: { host: string; status?: number } = { host }
    return logDuration(
      'outgoing',
      () => line,
      async () => {
        const answer = await send(new URL(url), request, { lookup, agents })
        line.status = answer.status
        return answer
      },
    )
  }
  return {
    findFault,
    post: call,
    get: call,
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

const howToAllow = 'FORDRA_PRIVATE_TARGETS=1 allows it.'
const plain = (url: URL | undefined) => (url?.protocol === 'http:' ? ` ${howToAllow}` : '')

function checkAddress(text: string, allowPrivate: boolean): string | undefined {
  // The URL parser ignores line breaks and spaces.
  const url = !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !(url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:'))) {
    return `must begin with https:// and name a host, without spaces.${plain(url)}`
  }
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password.'
  if (allowPrivate) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) ? !isPublicAddress(host) : /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host)) {
    return `must be public, not in a private network. ${howToAllow}`
  }
  return undefined
}

interface Ways {
  lookup: LookupFunction
  agents: { 'http:': HttpAgent; 'https:': HttpsAgent }
}

function send(
  url: URL,
  request: OutboundRead & { body?: string },
  { lookup, agents }: Ways,
): Promise<OutboundAnswer> {
  const limit = new AbortController()
  const signal = request.signal ? AbortSignal.any([limit.signal, request.signal]) : limit.signal
  let timer: NodeJS.Timeout | undefined
  const busy = new OutboundBusy('All connections to the host are in use.')
  const answered = new Promise<OutboundAnswer>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        limit.signal.reason === busy
          ? busy
          : error instanceof OutboundFailure
            ? error
            : new OutboundFailure(
                limit.signal.aborted
                  ? `No answer within ${request.timeoutMs / 1000} s.`
                  : `No connection: ${(error as { code?: string }).code ?? error.name}.`,
              ),
      )
    const method = request.body === undefined ? 'GET' : 'POST'
    const options = { method, lookup, signal, headers: requestHeaders(request) }
    if (request.waitMs !== undefined) timer = setTimeout(() => limit.abort(busy), request.waitMs)
    const call =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, agent: agents['https:'] })
        : requestHttp(url, { ...options, agent: agents['http:'] })
    call.on('socket', () => {
      clearTimeout(timer)
      timer = setTimeout(() => limit.abort(), request.timeoutMs)
    })
    call.on('error', fail)
    call.on('response', (response) => {
      readAnswer(response, request.bytesMax).then(resolve, fail)
    })
    call.end(request.body)
  })
  return answered.finally(() => clearTimeout(timer))
}

const requestHeaders = ({ headers, body }: OutboundRead & { body?: string }) => ({
  'user-agent': 'Fordra',
  ...(body !== undefined && {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }),
  ...headers,
})

async function readAnswer(response: IncomingMessage, bytesMax: number): Promise<OutboundAnswer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    chunks.push(chunk)
    // Leaving the loop closes the connection: the rest is not read.
    if (bytes > bytesMax) break
  }
  const body = Buffer.concat(chunks).subarray(0, bytesMax)
  return { status: response.statusCode ?? 0, body, cut: bytes > bytesMax, headers: response.headers }
}
