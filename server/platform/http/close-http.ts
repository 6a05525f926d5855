import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const lookEveryMs = 50

export interface HttpClose {
  /**
   * Closes the server once every started request is answered. Idle connections are ended: those kept alive, and those
   * without a request yet, which browsers open in advance. Node treats the latter as busy for a minute.
   */
  close(): Promise<void>
  /** Ends every connection, whatever it is doing. */
  cut(): void
  /** Requests that have begun to arrive and are not answered completely. */
  count(): number
}

export function prepareClose(http: FastifyInstance): HttpClose {
  const silent = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  let requests = 0
  http.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    silent.delete(socket)
    requests++
    response.once('close', () => requests--)
  })
  return {
    count: () => requests,
    cut: () => http.server.closeAllConnections(),
    close: async () => {
      const closing = setInterval(() => {
        http.server.closeIdleConnections()
        silent.forEach((socket) => socket.destroy())
      }, lookEveryMs)
      await http.close().finally(() => clearInterval(closing))
    },
  }
}
