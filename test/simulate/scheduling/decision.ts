import type { Connection } from '../wire.ts'

/**
 * What was decided: send a statement, hand on its answer, start an operation, wake a client, move the clock. `reach` is
 * no decision: it tells that something ended by itself, for which a replay waits.
 */
export type Decision =
  | ['send', string]
  | ['deliver', string]
  | ['start', number]
  | ['wake', number]
  | ['advance', number]
  | ['reach', string]

export interface Choice {
  decision: Decision
  connection?: Connection
}

export const sendOn = (connection: Connection): Choice => ({
  decision: ['send', connection.label],
  connection,
})

export const deliverFrom = (connection: Connection): Choice => ({
  decision: ['deliver', connection.label],
  connection,
})

export const isReady = ({ state, groups }: Connection): boolean => state === 'idle' && groups.length > 0

export interface Sleeper {
  number: number
  wake(): void
}

/** What may go on, and what was reached. */
export interface Possible {
  readonly connections: readonly Connection[]
  /** Operations that have not begun, in their order. */
  readonly waiting: readonly number[]
  readonly active: number
  readonly sleepers: readonly Sleeper[]
  /** Commits wait long for the disk, so that locks are held long and waiting ends. */
  readonly isDiskSlow: boolean
}
