/** Updates the indexes of custom fields in the background: at startup, and after a field changed. */
import type { Sql } from '../database/driver/pool.ts'
import type { CustomFields } from './custom-fields.ts'
import { alignIndexes } from './custom-indexes.ts'

export interface IndexKeeper {
  /** Requests an update after the change is committed. */
  ask(): void
  /** Waits for a running update and starts no other. */
  stop(): Promise<void>
}

/** Long enough for the change's transaction to end. */
const settleMs = 250
const startMs = 5_000

export function keepIndexes(
  sql: Sql,
  fields: CustomFields,
  tables: () => ReadonlyMap<string, string>,
  onError: (error: unknown) => void,
): IndexKeeper {
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const run = () => {
    running = running.then(() => (stopped ? undefined : alignIndexes(sql, fields, tables()))).catch(onError)
  }
  const later = (delayMs: number) => {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(run, delayMs).unref()
  }
  later(startMs)
  return {
    ask: () => later(settleMs),
    stop: () => {
      stopped = true
      clearTimeout(timer)
      return running
    },
  }
}
