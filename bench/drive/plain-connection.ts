/**
 * One HTTP/1.1 connection with as little work as possible for each request: the load generator shares the processors
 * with what it measures. Reads answers with Content-Length alone.
 */
import { connect, type Socket } from 'node:net'

export interface PlainAnswer {
  /** 0 when the connection ended without an answer. */
  status: number
  hasRetryAfter: boolean
}

const noAnswer: PlainAnswer = { status: 0, hasRetryAfter: false }
const headersEnd = '\r\n\r\n'

export class PlainConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #answer: PlainAnswer | undefined
  /** Bytes of the body that have not arrived. */
  #missing = 0
  #done: ((answer: PlainAnswer) => void) | undefined
  isOpen = true

  constructor(address: string) {
    const { hostname, port } = new URL(address)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.isOpen = false
      this.#finish(noAnswer)
    })
  }

  /** Sends a request and calls `done` once. The one before must have been answered. */
  send(request: Buffer, done: (answer: PlainAnswer) => void): void {
    if (this.#done) throw new Error('The request before has not been answered.')
    this.#done = done
    if (this.isOpen) this.#socket.write(request)
    else queueMicrotask(() => this.#finish(noAnswer))
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#answer) {
      this.#missing -= chunk.length
    } else {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      const end = this.#received.indexOf(headersEnd)
      if (end < 0) return
      const head = this.#received.toString('latin1', 0, end).toLowerCase()
      this.#answer = { status: Number(head.slice(9, 12)), hasRetryAfter: head.includes('\r\nretry-after:') }
      this.#missing = readLength(head) - (this.#received.length - end - headersEnd.length)
      this.#received = Buffer.alloc(0)
    }
    if (this.#missing <= 0) this.#finish(this.#answer)
  }

  #finish(answer: PlainAnswer): void {
    const done = this.#done
    this.#done = undefined
    this.#answer = undefined
    done?.(answer)
  }
}

function readLength(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
  if (length !== undefined) return Number(length)
  if (head.includes('\r\ntransfer-encoding:')) throw new Error(`The answer has no Content-Length: ${head}`)
  return 0
}
