/** Accepts connections as fast as they arrive, also while the service is busy. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type ListenOptions, type Socket } from 'node:net'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'
import { createHealthServer } from './health-server.ts'

export interface ListenPorts {
  host: string
  port: number
  /** For health checks and metrics. */
  healthPort?: number | undefined
}

/**
 * Node accepts one connection of a listening socket in each turn of its event loop, and a busy service has some hundred
 * turns a second. So many sockets share the port, and with it the connections.
 */
const socketsMax = 64

/** Only Linux distributes connections among the sockets of a port. */
const canShare = process.platform === 'linux'

/** Returns the address. The ports must be free: another process of this user could share the first one. */
export async function listen(
  http: FastifyInstance,
  { host, port, healthPort }: ListenPorts,
): Promise<string> {
  const more = Array.from({ length: canShare ? socketsMax - 1 : 0 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) =>
      http.server.emit('connection', socket),
    ),
  )
  const health = healthPort === undefined ? undefined : createHealthServer(http)
  let accepting: Promise<unknown> = Promise.resolve()
  http.addHook('preClose', (done) => {
    accepting = Promise.all(more.map(close))
    done()
  })
  http.addHook('onClose', async () => {
    await accepting
    if (!health) return
    const closed = close(health)
    health.closeAllConnections()
    await closed
  })
  const first: FastifyListenOptions & ListenOptions = { port, host, reusePort: canShare }
  const address = await http.listen(first)
  const shared = { port: (http.server.address() as AddressInfo).port, host, reusePort: true }
  for (const server of more) await once(server.listen(shared), 'listening')
  if (health) await once(health.listen({ port: healthPort, host }), 'listening')
  return address
}

/** Resolves when the last connection has ended; also if the server never listened. */
const close = (server: ReturnType<typeof createServer>) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
