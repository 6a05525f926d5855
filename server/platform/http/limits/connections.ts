/**
 * Limits of connections: how many there are, how many one address has, how many requests one may send before it is
 * answered, and how slowly a client may send a body or read an answer. Waiting for a client costs a socket and no more:
 * the limits of what is worked on count only complete requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config.ts'
import { ApiError } from '../errors.ts'
import { answerBrokenRequest } from '../broken-request.ts'
import { openCounts } from './counts.ts'
import { networkPrefix } from './network-prefix.ts'

/** A client must send and read so much per second on average, beyond the first seconds. */
const bytesPerSecond = 4_096
const lookEveryMs = 1_000
/** Browsers, proxies and our clients send one request at a time. Node starts all that arrive in one packet at once. */
const pipelinedMax = 10
/** Of this many connections one more is accepted beyond the limit, so that health checks are still answered. */
const connectionsPerSpare = 16

/** How far a transfer has come since somebody began to wait for the client. */
interface Transfer {
  since: number
  bytesBefore: number
}

interface Connection {
  /** Requests that are not answered yet. */
  open: number
  /** It had too many requests open: what else it sends is not answered. */
  isEnding: boolean
  /** It is beyond the limit of all connections. */
  isSpare: boolean
  /** A request whose body is not complete. */
  receiving?: Transfer & { request: IncomingMessage; response: ServerResponse }
  /** An answer that the client has not taken yet. */
  sending?: Transfer
}

export function guardConnections(http: FastifyInstance, settings: Settings): void {
  const graceMs = settings.FORDRA_SLOW_SECONDS * 1_000
  const connections = new Map<Socket, Connection>()
  const addresses = openCounts(settings.FORDRA_MAX_PER_CALLER)
  const max = settings.FORDRA_MAX_CONNECTIONS
  const maxWithSpare = max + Math.ceil(max / connectionsPerSpare)
  // Node's own limit counts the connections of one listening socket.
  http.server.on('connection', (socket: Socket) => {
    if (connections.size >= maxWithSpare) {
      socket.destroy()
      return
    }
    // Behind trusted proxies all connections are theirs.
    if (settings.FORDRA_TRUST_PROXY === 0) {
      try {
        socket.once('close', addresses.take(networkPrefix(socket.remoteAddress ?? '')))
      } catch {
        answerBrokenRequest({ name: '', message: '', code: 'TOO_MANY_CONNECTIONS' }, socket)
        socket.destroySoon()
        return
      }
    }
    connections.set(socket, { open: 0, isEnding: false, isSpare: connections.size >= max })
    socket.once('close', () => connections.delete(socket))
  })
  http.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket)
    if (!connection || request.complete) return
    connection.receiving = {
      request,
      response,
      since: performance.now(),
      bytesBefore: request.socket.bytesRead,
    }
  })
  refuseBeyond(http, connections)
  const isTooSlow = ({ since, bytesBefore }: Transfer, bytes: number) =>
    performance.now() - since > graceMs + ((bytes - bytesBefore) / bytesPerSecond) * 1_000
  const look = () => {
    for (const [socket, connection] of connections) {
      lookAtBody(socket, connection, isTooSlow)
      lookAtAnswer(socket, connection, isTooSlow)
    }
  }
  const looking = setInterval(look, lookEveryMs).unref()
  http.addHook('onClose', (_app, done) => {
    clearInterval(looking)
    done()
  })
}

/** Refuses requests on connections beyond the limit, and those of a connection that has too many open. */
function refuseBeyond(http: FastifyInstance, connections: ReadonlyMap<Socket, Connection>): void {
  http.addHook('onRequest', (request, reply, next) => {
    const connection = connections.get(request.raw.socket)
    if (!connection) next()
    else if (connection.isEnding) reply.hijack()
    else if (connection.isSpare && !request.url.startsWith('/health/'))
      next(closing('overloaded', 'The service has too many connections open. Try again in 5 seconds.', '5'))
    else if (connection.open >= pipelinedMax) {
      connection.isEnding = true
      const detail = `This connection has ${pipelinedMax} requests open, the maximum. Wait for their answers.`
      next(closing('too-many-requests', detail, '1'))
    } else {
      connection.open++
      reply.raw.once('close', () => connection.open--)
      next()
    }
  })
}

const closing = (kind: 'overloaded' | 'too-many-requests', detail: string, seconds: string) =>
  new ApiError(kind, detail, { headers: { 'retry-after': seconds, connection: 'close' } })

type IsTooSlow = (transfer: Transfer, bytes: number) => boolean

function lookAtBody(socket: Socket, connection: Connection, isTooSlow: IsTooSlow): void {
  const { receiving } = connection
  if (!receiving) return
  const { request, response } = receiving
  if (request.complete || request.destroyed) delete connection.receiving
  else if (request.readableLength > 0) {
    // The bytes wait for us, not we for them.
    receiving.since = performance.now()
    receiving.bytesBefore = socket.bytesRead
  } else if (isTooSlow(receiving, socket.bytesRead)) {
    if (response.headersSent) socket.destroy()
    else {
      answerBrokenRequest({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
      socket.destroySoon()
    }
  }
}

function lookAtAnswer(socket: Socket, connection: Connection, isTooSlow: IsTooSlow): void {
  const taken = socket.bytesWritten - socket.writableLength
  if (socket.writableLength === 0) delete connection.sending
  else if (!connection.sending) connection.sending = { since: performance.now(), bytesBefore: taken }
  else if (isTooSlow(connection.sending, taken)) socket.destroy()
}
