/** The console's only API client: a cookie session on the origin that served the page. */
import { createClient, ServiceUnreachable } from '../../../client/client.ts'
import { loadRefusals } from '../texts/refusal-text.ts'
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
      // By the time that a refusal is shown, its words are there. Who must sign in is shown none.
      if (response.status >= 400 && response.status !== 401) await loadRefusals()
      return response
    } catch (error) {
      if (!init?.signal?.aborted || isTimeout(init.signal.reason)) isReachable.set(false)
      throw error
    }
  },
})

const isTimeout = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'
export const isUnavailable = (error: unknown) => error instanceof ServiceUnreachable
