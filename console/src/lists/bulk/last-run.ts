/** The bulk action that this tab began last, so that a person finds it again after its window was closed. */
import { createStore } from '../../store.ts'

const key = 'fordra.bulk'

export interface LastRun {
  bulkActionGuid: string
  title: string
}

function readStored(): LastRun | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export const lastRun = createStore<LastRun | undefined>(readStored())
lastRun.subscribe(() => {
  const run = lastRun.get()
  if (run === undefined) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(run))
})
