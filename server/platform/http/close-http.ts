import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50

/**
 * Returns a function that closes the server once every started request is answered. Idle connections are ended: those
 * kept alive, and those without a request yet, which browsers open in advance. Node treats the latter as busy for a
 * minute.
 */
export function prepareClose(http: FastifyInstance): () => Promise<void> {
  const silent = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  http.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  return async () => {
    const closing = setInterval(() => {
      http.server.closeIdleConnections()
      silent.forEach((socket) => socket.destroy())
    }, lookEveryMs)
    await http.close().finally(() => clearInterval(closing))
  }
}
