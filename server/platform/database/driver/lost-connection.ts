/** Connections that end while they are used. */
import type { PoolClient } from 'pg'

/** Settles `work`, or rejects as soon as the connection is lost. */
export async function whileConnected<T>(client: PoolClient, work: T | Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const lose = () =>
    reject(Object.assign(new Error('The connection was lost.'), { code: 'CONNECTION_CLOSED' }))
  client.once('end', lose)
  try {
    return await Promise.race([work, promise])
  } finally {
    client.removeListener('end', lose)
  }
}

/** Errors of a connection that ended; `pg` gives its own no code. */
const losses: readonly [message: RegExp, code: string][] = [
  [
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/,
    'CONNECTION_CLOSED',
  ],
  [/^(timeout expired|timeout exceeded)|due to connection timeout/, 'CONNECT_TIMEOUT'],
  [/^Cannot use a pool after calling end/, 'CONNECTION_ENDED'],
]

/** Gives an error of a lost connection its code. */
export function nameLoss(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error
  const code = losses.find(([message]) => message.test(error.message))?.[1]
  return code === undefined ? error : Object.assign(error, { code })
}

/** The server ends the connection after these. */
const ends = /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|ERR_STREAM|08|57P0|25P0[34])/

/** Whether the connection is of no use after the error. */
export const isOfConnection = (error: unknown): boolean =>
  ends.test(String((nameLoss(error) as { code?: unknown } | null)?.code ?? ''))
