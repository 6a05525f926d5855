/**
 * Hears from the service when the user's notifications change. One tab of the browser has the connection: it holds a
 * lock, and tells the others by a channel. A tab that is not used leaves it to another.
 */

export interface LiveNotifications {
  /** False while nothing is heard: then the caller asks by itself. */
  isLive(): boolean
  /** Connects or disconnects, by whether the tab is used. */
  update(): void
  end(): void
}

/** Of the contract's `followNotifications`. */
const address = '/api/v1/users/current/notifications/stream'
const name = 'fordra-notifications'
/** The tab with the connection says so often that it is there. */
const beatMs = 15_000
const silentMs = 40_000
const firstRetryMs = 5000
const lastRetryMs = 300_000

type Word = 'changed' | 'live' | 'broken'
type Tell = (word: Word) => void

export function followNotifications(isUsed: () => boolean, onChange: () => void): LiveNotifications {
  const channel = new BroadcastChannel(name)
  let heardAt = -Infinity
  let joined: AbortController | undefined
  const hear = (word: Word) => {
    heardAt = word === 'broken' ? -Infinity : Date.now()
    if (word === 'changed') onChange()
  }
  const tell = (word: Word) => {
    hear(word)
    channel.postMessage(word)
  }
  const leave = () => {
    joined?.abort()
    joined = undefined
    heardAt = -Infinity
  }
  channel.addEventListener('message', ({ data }) => hear(data as Word))
  return {
    isLive: () => Date.now() - heardAt < silentMs,
    update: () => {
      if (!isUsed()) leave()
      else if (!joined) {
        joined = new AbortController()
        void lead(joined.signal, tell)
      }
    },
    end: () => {
      leave()
      channel.close()
    },
  }
}

/** Connects when no other tab does, until the signal. A browser without locks connects in each tab. */
async function lead(signal: AbortSignal, tell: Tell): Promise<void> {
  const { locks } = navigator as Partial<Navigator>
  if (!locks) return connect(signal, tell)
  try {
    await locks.request(name, { signal }, () => connect(signal, tell))
  } catch {
    // It left before its turn.
  }
}

function connect(signal: AbortSignal, tell: Tell): Promise<void> {
  let source: EventSource
  let retry: ReturnType<typeof setTimeout>
  let waitMs = firstRetryMs
  const open = () => {
    source = new EventSource(address)
    source.addEventListener('open', () => {
      waitMs = firstRetryMs
      // What came before the connection is read too.
      tell('changed')
    })
    source.addEventListener('changed', () => tell('changed'))
    source.addEventListener('error', () => {
      tell('broken')
      // The browser goes on after a stream that ended, and gives up after a refusal.
      if (source.readyState !== EventSource.CLOSED) return
      retry = setTimeout(open, waitMs)
      waitMs = Math.min(2 * waitMs, lastRetryMs)
    })
  }
  open()
  const beat = setInterval(() => {
    if (source.readyState === EventSource.OPEN) tell('live')
  }, beatMs)
  return new Promise((resolve) => {
    const close = () => {
      clearTimeout(retry)
      clearInterval(beat)
      source.close()
      resolve()
    }
    if (signal.aborted) close()
    else signal.addEventListener('abort', close)
  })
}
