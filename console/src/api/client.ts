/** The one client of the console: a session by cookie on the origin that served the page. */
import { createClient, ServiceUnreachable } from '../../../client/client.ts'
import { createStore } from '../store.ts'

/** Whether the service answered last. */
export const isReachable = createStore(true)
/** Rises each time the service says that the session has ended. */
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
export const isAway = (error: unknown) => error instanceof ServiceUnreachable
