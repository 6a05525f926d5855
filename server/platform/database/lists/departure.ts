/** Lets what a request reads end when its client leaves. */
import { AsyncLocalStorage } from 'node:async_hooks'

const left = new AsyncLocalStorage<AbortSignal>()

/** Statements of `work` that may end early do so when the signal aborts. */
export const untilDeparture = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  left.run(signal, work)

/** Aborts when the client of the request under way leaves; undefined outside a request that only reads. */
export const findDeparture = (): AbortSignal | undefined => left.getStore()
