/** A node of the service in this process: the whole server, whose database, timers and end the scheduler decides. */
import type { InjectOptions, Response } from 'light-my-request'
import { join } from 'node:path'
import { startServer, type RunningServer } from '../../server/main.ts'
import { readSettings } from '../../server/platform/config.ts'
import { socketUrl } from '../../server/platform/database/database.ts'
import { superuser } from '../../server/platform/database/embedded/cluster.ts'
import { currentNode, dropTimers } from './virtual-time.ts'
import { Wire } from './wire.ts'

/** Of the two machines on which nodes run, in the folder of a run. */
export const anchorFolders = (folder: string): string[] =>
  [0, 1].map((slot) => join(folder, `anchor-${slot}`))

export class SimulatedNode {
  readonly name: string
  readonly wire: Wire
  /** Set when the node answers. */
  server: RunningServer | undefined
  failure: unknown
  readonly slot: number
  readonly died: Promise<undefined>
  readonly #anchor: string
  #die!: () => void

  /** @param slot the machine on whose disk the node keeps its anchor, as its successor there does */
  constructor(name: string, folder: string, slot: number) {
    this.name = name
    this.slot = slot
    this.#anchor = anchorFolders(folder)[slot]!
    this.wire = new Wire(name, join(folder, name))
    this.died = new Promise((resolve) => (this.#die = () => resolve(undefined)))
  }

  get isDead(): boolean {
    return this.wire.dead
  }

  /** Resolves when the node answers or has failed to start. */
  async start(socket: string, database: string, settings: Record<string, string>): Promise<void> {
    await this.wire.open(socket)
    await currentNode.run(this, async () => {
      try {
        this.server = await startServer(
          readSettings({
            DATABASE_URL: socketUrl(this.wire.folder, superuser, database),
            FORDRA_LOG_LEVEL: '0',
            FORDRA_RATE_LIMIT: '0',
            FORDRA_PRIVATE_TARGETS: '1',
            FORDRA_POOL: '6',
            // One caller sends all, so two of its writes run at once: the others wait while a lock is held.
            FORDRA_QUEUE_SECONDS: '20',
            PORT: '0',
            FORDRA_ANCHOR: this.#anchor,
            ...settings,
          }),
          () => {},
        )
      } catch (error) {
        this.failure = error
      }
    })
  }

  /** The answer; undefined when the node died first. */
  inject(options: InjectOptions): Promise<Response | undefined> {
    const answered = currentNode.run(this, () => this.server!.app.http.inject(options))
    answered.catch(() => {})
    return Promise.race([answered, this.died])
  }

  /** As by kill -9. */
  kill(): void {
    this.wire.cut()
    dropTimers(this)
    this.server?.app.http.server.close()
    this.server?.app.http.server.closeAllConnections()
    this.#die()
  }
}
