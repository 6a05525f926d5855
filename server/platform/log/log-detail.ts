/**
 * What the log levels 2 to 10 (S12) add to the log, each to those below it. The lines name records by their
 * identifiers and never hold values: no bodies, parameters, addresses of people or secrets.
 */
import type { Logger } from 'pino'

/** The level from which each kind of line is logged. `docs/operate/settings.md` has the same table. */
export const detailLevels = {
  /** Attempts at jobs. */
  job: 2,
  /** Calls of other servers: webhooks, services, mail, text messages. */
  outgoing: 3,
  /** Refused requests: the code, and how many members were refused. Their names are the caller's, so they may be data. */
  refusal: 4,
  /** The caller of each request. */
  caller: 5,
  /** Transactions. */
  transaction: 6,
  /** Statements of at least `slowStatementMs`. */
  slowStatement: 7,
  /** Every statement. */
  statement: 8,
  /** Connections to the database. */
  connection: 9,
  /** Requests as they arrive: those without a later line did not end. */
  arrival: 10,
} as const
export type Detail = keyof typeof detailLevels

export const slowStatementMs = 100

let current = 1
let log: Pick<Logger, 'debug' | 'trace'> | undefined

/** The log and level of this process. */
export function setLogDetail(level: number, to: Pick<Logger, 'debug' | 'trace'>): void {
  current = level
  log = to
}

/** Ask this first where the line costs something. */
export const isLogged = (detail: Detail): boolean => current >= detailLevels[detail]

export function logDetail(detail: Detail, line: object): void {
  const logLevel = detailLevels[detail]
  if (current < logLevel) return
  log?.[logLevel <= 5 ? 'debug' : 'trace']({ logLevel, ...line }, detail)
}

/** Logs how long the work took, and whether it failed, when the level is reached. */
export async function logDuration<T>(detail: Detail, line: () => object, work: () => Promise<T>): Promise<T> {
  if (!isLogged(detail)) return work()
  const began = performance.now()
  const tell = (more: object) =>
    logDetail(detail, { ...line(), ...more, ms: Math.round((performance.now() - began) * 10) / 10 })
  try {
    const result = await work()
    tell({})
    return result
  } catch (error) {
    tell({ failed: String((error as { code?: unknown } | null)?.code ?? (error as Error | null)?.name) })
    throw error
  }
}
