/** Runs an action on many rows, a few at a time, with the outcome of each, retry of failed rows, and undo where possible. */
import { useRef, useState } from 'react'

export type Undo = () => Promise<unknown>
export interface BulkResult<Row> {
  row: Row
  state: 'waiting' | 'running' | 'done' | 'failed' | 'undone'
  error?: unknown
  undo?: Undo | undefined
}

/** Runs the action on a row. Returns the function that undoes it, if any. */
export type BulkWork<Row> = (row: Row) => Promise<Undo | undefined>

/** Another user has changed the row. A retry uses the current row. */
export class ChangedMeanwhile<Row> extends Error {
  readonly row: Row
  constructor(row: Row) {
    super('The record was changed meanwhile.')
    this.row = row
  }
}

const atOnce = 4

async function runFewAtOnce(
  indexes: readonly number[],
  step: (index: number) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const queue = [...indexes]
  const work = async () => {
    for (let index = queue.shift(); index !== undefined && !isStopped(); index = queue.shift())
      await step(index)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

export function useBulkRun<Row>() {
  const [results, setResults] = useState<readonly BulkResult<Row>[]>([])
  const [busy, setBusy] = useState(false)
  const current = useRef<BulkResult<Row>[]>([])
  const stopped = useRef(false)
  const change = (index: number, more: Partial<BulkResult<Row>>) => {
    current.current[index] = { ...current.current[index]!, ...more }
    setResults([...current.current])
  }
  const each = async (indexes: number[], step: (index: number) => Promise<void>) => {
    stopped.current = false
    setBusy(true)
    await runFewAtOnce(indexes, step, () => stopped.current)
    setBusy(false)
  }
  const attempt = async (index: number, work: BulkWork<Row>) => {
    const { row } = current.current[index]!
    change(index, { state: 'running', error: undefined })
    try {
      change(index, { state: 'done', undo: await work(row) })
    } catch (error) {
      const fresh = error instanceof ChangedMeanwhile ? { row: error.row as Row } : {}
      change(index, { state: 'failed', error, ...fresh })
    }
  }
  const takeBack = async (index: number) => {
    try {
      await current.current[index]!.undo!()
      change(index, { state: 'undone', undo: undefined })
    } catch (error) {
      change(index, { error })
    }
  }
  const findIndexes = (wanted: (result: BulkResult<Row>) => boolean) =>
    current.current.flatMap((result, index) => (wanted(result) ? [index] : []))
  return {
    results,
    busy,
    start: (rows: readonly Row[], work: BulkWork<Row>) => {
      current.current = rows.map((row) => ({ row, state: 'waiting' }))
      return each(
        findIndexes(() => true),
        (index) => attempt(index, work),
      )
    },
    /** Retries failed rows and runs those not started. */
    retry: (work: BulkWork<Row>) =>
      each(
        findIndexes(({ state }) => state === 'failed' || state === 'waiting'),
        (index) => attempt(index, work),
      ),
    undo: () =>
      each(
        findIndexes(({ state, undo }) => state === 'done' && undo !== undefined),
        takeBack,
      ),
    stop: () => {
      stopped.current = true
    },
  }
}
