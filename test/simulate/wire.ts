/**
 * What stands between a node and PostgreSQL: every statement waits here until the scheduler sends it, and every answer
 * until the scheduler hands it on. It reads the wire protocol, so that it does not matter which driver a node uses.
 */
import { createServer, connect, type Server, type Socket } from 'node:net'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What a client sends up to a Sync, a Query or a Flush: PostgreSQL answers it as one. */
interface Group {
  bytes: Buffer[]
  label: string
  flush: boolean
}

export type ConnectionState =
  /** Signing in; nothing waits for the scheduler. */
  | 'starting'
  | 'idle'
  /** PostgreSQL works on it. */
  | 'running'
  /** PostgreSQL waits for a lock that another connection holds. */
  | 'blocked'
  /** PostgreSQL has answered; the node has not heard of it. */
  | 'answered'
  | 'closed'

const letter = (text: string) => text.charCodeAt(0)
const types = {
  query: letter('Q'),
  parse: letter('P'),
  bind: letter('B'),
  sync: letter('S'),
  flush: letter('H'),
  terminate: letter('X'),
  password: letter('p'),
  copyData: letter('d'),
  copyDone: letter('c'),
  copyFail: letter('f'),
  ready: letter('Z'),
  keyData: letter('K'),
  notification: letter('A'),
  copyIn: letter('G'),
  error: letter('E'),
}
/** The last message of an answer to a Flush: row description, no data, suspended, complete. */
const flushEnds = new Set(['T', 'n', 's', 'C', 'E', 'I'].map(letter))

export class Connection {
  readonly wire: Wire
  readonly number: number
  readonly client: Socket
  readonly server: Socket
  state: ConnectionState = 'starting'
  application = ''
  backendPid = 0
  /** Whether a transaction was open after the last answer. */
  inTransaction = false
  readonly groups: Group[] = []
  /** The label of the statement that runs or was answered. */
  running = ''
  #started = false
  #fromClient: Buffer = Buffer.alloc(0)
  #fromServer: Buffer = Buffer.alloc(0)
  #group: Group = { bytes: [], label: '', flush: false }
  readonly #prepared = new Map<string, string>()
  #held: Buffer[] = []
  #copying = false
  #flushing = false
  /** Nothing is sent to PostgreSQL and nothing handed on until it is released. */
  isStalled = false
  readonly openedAt = performance.now()
  onSettled: (() => void) | undefined

  constructor(wire: Wire, number: number, client: Socket, server: Socket) {
    this.wire = wire
    this.number = number
    this.client = client
    this.server = server
    client.on('data', (bytes: Buffer) => this.#readClient(bytes))
    server.on('data', (bytes: Buffer) => this.#readServer(bytes))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => {
        this.#setState('closed')
        // What PostgreSQL wrote before it hung up still reaches the node.
        if (one === server && !this.wire.dead) {
          for (const bytes of this.#held.splice(0)) client.write(bytes)
          client.end()
        } else other.destroy()
        this.wire.forget(this)
      })
    }
  }

  get label(): string {
    const text = this.state === 'idle' ? (this.groups[0]?.label ?? '') : this.running
    return `${this.wire.name} ${this.application} ${text}`
  }

  destroy(): void {
    this.client.destroy()
    this.server.destroy()
  }

  /** Sends the first waiting group to PostgreSQL. */
  send(): void {
    const group = this.groups.shift()
    if (!group) return
    this.running = group.label
    this.#flushing = group.flush
    this.#setState('running')
    this.server.write(Buffer.concat(group.bytes))
  }

  /** Hands the answer on to the node. */
  deliver(): void {
    const held = this.#held.splice(0)
    this.#setState('idle')
    if (held.length > 0) this.client.write(Buffer.concat(held))
  }

  #setState(state: ConnectionState): void {
    if (this.state === 'closed') return
    this.state = state
    this.wire.activity++
    if (state !== 'running' && state !== 'blocked') {
      this.onSettled?.()
      this.onSettled = undefined
    }
  }

  #readClient(bytes: Buffer): void {
    this.wire.activity++
    this.#fromClient = this.#fromClient.length === 0 ? bytes : Buffer.concat([this.#fromClient, bytes])
    for (;;) {
      const message = this.#takeClientMessage()
      if (!message) return
      this.#take(message)
    }
  }

  #takeClientMessage(): Buffer | undefined {
    const buffer = this.#fromClient
    const from = this.#started ? 1 : 0
    if (buffer.length < from + 4) return undefined
    const length = from + buffer.readInt32BE(from)
    if (buffer.length < length) return undefined
    this.#fromClient = buffer.subarray(length)
    return buffer.subarray(0, length)
  }

  #take(message: Buffer): void {
    if (!this.#started) {
      const protocol = message.readInt32BE(4)
      // A request for encryption or cancellation has no parameters.
      if (protocol >>> 16 === 3) {
        this.#started = true
        const words = message.subarray(8).toString('utf8').split('\0')
        this.application = words[words.indexOf('application_name') + 1] ?? ''
      }
      this.server.write(message)
      return
    }
    const type = message[0]
    if (type === types.terminate || type === types.password || this.#copying) {
      this.server.write(message)
      return
    }
    this.#group.bytes.push(message)
    if (type === types.query) this.#group.label = message.subarray(5, -1).toString('utf8')
    if (type === types.parse) {
      const [name = '', text = ''] = message.subarray(5).toString('utf8').split('\0')
      this.#prepared.set(name, text)
      if (this.#group.label === '') this.#group.label = text
    }
    if (type === types.bind && this.#group.label === '') {
      const [, name = ''] = message.subarray(5, 400).toString('latin1').split('\0')
      this.#group.label = this.#prepared.get(name) ?? name
    }
    if (type === types.query || type === types.sync || type === types.flush) {
      this.#group.flush = type === types.flush
      this.#group.label = this.#group.label.replace(/\s+/g, ' ').trim().slice(0, 160)
      this.groups.push(this.#group)
      this.wire.lastStep = ++this.wire.steps
      this.#group = { bytes: [], label: '', flush: false }
    }
  }

  #readServer(bytes: Buffer): void {
    this.wire.activity++
    this.#fromServer = this.#fromServer.length === 0 ? bytes : Buffer.concat([this.#fromServer, bytes])
    for (;;) {
      const buffer = this.#fromServer
      // The answer to a request for encryption is a single letter.
      if (!this.#started && buffer.length === 1) {
        this.#fromServer = Buffer.alloc(0)
        this.client.write(buffer)
        return
      }
      if (buffer.length < 5) return
      const length = 1 + buffer.readInt32BE(1)
      if (buffer.length < length) return
      this.#fromServer = buffer.subarray(length)
      this.#answer(buffer.subarray(0, length))
    }
  }

  #answer(message: Buffer): void {
    const type = message[0]!
    if (type === types.keyData) this.backendPid = message.readInt32BE(5)
    if (this.state === 'starting') {
      this.client.write(message)
      if (type === types.ready) this.#setState('idle')
      return
    }
    if (type === types.notification && this.state === 'idle') {
      this.client.write(message)
      return
    }
    this.#held.push(message)
    if (type === types.copyIn) {
      this.#copying = true
      for (const bytes of this.#held.splice(0)) this.client.write(bytes)
    }
    if (type === types.ready) {
      this.#copying = false
      this.inTransaction = message[5] !== letter('I')
      this.#setState('answered')
    } else if (this.#flushing && flushEnds.has(type)) this.#setState('answered')
    else if (this.state === 'idle') {
      // A message outside of any answer, such as the notice of a shutdown.
      for (const bytes of this.#held.splice(0)) this.client.write(bytes)
    }
  }
}

/** The way of one node to the database. */
export class Wire {
  readonly name: string
  readonly folder: string
  readonly connections: Connection[] = []
  activity = 0
  steps = 0
  lastStep = 0
  dead = false
  /** New connections are refused, as while the network is cut. */
  isCutOff = false
  /** Whether its node has started. */
  answers = false
  #server: Server | undefined
  #opened = 0

  constructor(name: string, folder: string) {
    this.name = name
    this.folder = folder
  }

  async open(target: string): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const server = createServer((client) => {
      this.activity++
      if (this.dead || this.isCutOff) return void client.destroy()
      this.connections.push(new Connection(this, ++this.#opened, client, connect(target)))
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(join(this.folder, '.s.PGSQL.5432'), resolve))
  }

  forget(connection: Connection): void {
    const place = this.connections.indexOf(connection)
    if (place >= 0) this.connections.splice(place, 1)
  }

  /** Ends all connections, and refuses new ones until `rejoin`. */
  cutOff(): void {
    this.isCutOff = true
    this.connections.slice().forEach((connection) => connection.destroy())
  }

  rejoin(): void {
    this.isCutOff = false
  }

  /** As the end of the node's process does: whatever was sent goes on, nothing more is sent or heard. */
  cut(): void {
    this.dead = true
    this.#server?.close()
    this.connections.slice().forEach((connection) => connection.destroy())
    rmSync(this.folder, { recursive: true, force: true })
  }
}
