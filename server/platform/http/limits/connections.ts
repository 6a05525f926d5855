/**
 * Limits of connections: how many one address has, and how slowly a client may send a body or read an answer. Waiting
 * for a client costs a socket and no more: the limits of what is worked on count only complete requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../../config.ts'
import { answerBrokenRequest } from '../broken-request.ts'
import { openCounts } from './counts.ts'
import { networkPrefix } from './network-prefix.ts'

/** A client must send and read so much per second on average, beyond the first seconds. */
const bytesPerSecond = 4_096
const lookEveryMs = 1_000

/** How far a transfer has come since somebody began to wait for the client. */
interface Transfer {
  since: number
  bytesBefore: number
}

interface Connection {
  /** A request whose body is not complete. */
  receiving?: Transfer & { request: IncomingMessage; response: ServerResponse }
  /** An answer that the client has not taken yet. */
  sending?: Transfer
}

export function guardConnections(http: FastifyInstance, settings: Settings): void {
  const graceMs = settings.FORDRA_SLOW_SECONDS * 1_000
  const connections = new Map<Socket, Connection>()
  const addresses = openCounts(settings.FORDRA_MAX_PER_CALLER)
  http.server.maxConnections = settings.FORDRA_MAX_CONNECTIONS
  http.server.on('connection', (socket: Socket) => {
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
    connections.set(socket, {})
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
