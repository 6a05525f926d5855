import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50

/**
 * Returns what closes the server once every request that has begun is answered. Connections without one are ended: those
 * kept alive after an answer, and those that have brought no request yet, such as browsers open ahead. Node counts the
 * latter as busy for a minute.
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
