import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

type Target = { path: string } | { host: string; port: number }

function parseTarget(databaseUrl: string): Target {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  if (folder !== null) return { path: join(folder, '.s.PGSQL.5432') }
  return { host: url.hostname, port: Number(url.port || 5432) }
}

/** A way to a database that can be cut, and laid to another. */
export class Bridge {
  readonly #sockets = new Set<Socket>()
  #target: Target
  readonly #databaseUrl: string
  #server: Server | undefined
  port = 0

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
    this.#target = parseTarget(databaseUrl)
  }

  /** The database's, by way of the bridge. */
  get url(): string {
    const url = new URL(this.#databaseUrl)
    const user = url.searchParams.get('user') ?? url.username
    const password = url.password === '' ? '' : `:${url.password}`
    return `postgres://${user}${password}@127.0.0.1:${this.port}${url.pathname}`
  }

  /** From here on new connections lead to another server; those that are stay. */
  leadTo(databaseUrl: string): void {
    this.#target = parseTarget(databaseUrl)
  }

  async open(): Promise<void> {
    this.#server = createServer((inside) => {
      const outside = connect(this.#target)
      for (const socket of [inside, outside]) {
        this.#sockets.add(socket)
        socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      }
      inside.pipe(outside).pipe(inside)
    })
    await new Promise<void>((resolve) => this.#server!.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.#server.address() as { port: number }).port
  }

  cut(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
