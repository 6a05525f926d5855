/** The console's only API client: a cookie session on the origin that served the page. */
import { createClient, ServiceUnreachable } from '../../../client/client.ts'
import { createStore } from '../store.ts'

/** True if the last request got an answer. */
export const isReachable = createStore(true)
/** Increases each time the service reports that the session has ended. */
export const endedSessions = createStore(0)

export const api = createClient({
  session: 'cookie',
  onSignedOut: () => endedSessions.set((count) => count + 1),
  fetch: async (input, init) => {
    try {
      const response = await fetch(input, init)
      isReachable.set(true)
      return response
    } catch (error) {
      if (!init?.signal?.aborted || isTimeout(init.signal.reason)) isReachable.set(false)
      throw error
    }
  },
})

const isTimeout = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'
export const isUnavailable = (error: unknown) => error instanceof ServiceUnreachable
