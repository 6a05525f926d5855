/** Polls while somebody waits for the outcome, one poll at a time. */
export interface Poll {
  /** Goes on until nobody waits. */
  begin(): void
  /** No poll begins after this, and what fails after it is nobody's concern: the database may be closed. */
  stop(): void
}

export function createPoll({
  everyMs,
  isNeeded,
  poll,
  onError,
}: {
  everyMs: number
  isNeeded: () => boolean
  poll: () => Promise<void>
  onError: (error: unknown) => void
}): Poll {
  const state = { isRunning: false, isStopped: false }
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    state.isRunning = isNeeded() && !state.isStopped
    if (state.isRunning) timer = setTimeout(() => void run(), everyMs)
  }
  const run = async () => {
    try {
      if (isNeeded()) await poll()
    } catch (error) {
      if (!state.isStopped) onError(error)
    }
    schedule()
  }
  return {
    begin: () => {
      if (!state.isRunning) schedule()
    },
    stop: () => {
      state.isStopped = true
      clearTimeout(timer)
    },
  }
}
