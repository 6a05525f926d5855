/** The part of autocannon that the bench uses; the package has no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  interface Request {
    method: string
    path: string
    headers: Record<string, string>
    body?: string
  }
  interface Client {
    setRequests(requests: Request[]): void
  }
  interface Result {
    errors: number
    timeouts: number
    non2xx: number
    '2xx': number
    /** Seconds. */
    duration: number
  }
  interface Options {
    url: string
    connections: number
    duration: number
    timeout: number
    requests: Request[]
    setupClient(client: Client): void
  }
  function autocannon(options: Options): EventEmitter & PromiseLike<Result>
  export = autocannon
}
