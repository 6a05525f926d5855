/** Ends the parts of the service one after the other, within a deadline. */

/** A part of the service that is ended. */
export interface StopStage {
  /** What is waited for, such as `3 requests in flight`. */
  name: () => string
  stop: () => Promise<unknown>
  /** Called when the part did not end in time, so that nothing of it holds up the next ones. */
  cut?: () => void
  /** The fraction of the deadline by which this part has ended, from its beginning. */
  until: number
}

/** Waiting is reported after this time: later than a second signal counts as the first one, so that who reads it is heard. */
const silentMs = 1_500

/**
 * Ends the stages in their order. One that takes longer than its part of the deadline, or fails, is left behind. Reports
 * what is waited for, and returns the names of what did not end.
 */
export async function stopInTime(
  stages: readonly StopStage[],
  deadlineMs: number,
  report: (line: string) => void,
): Promise<string[]> {
  const startedAt = performance.now()
  const left: string[] = []
  for (const { name, stop, cut, until } of stages) {
    const leftMs = Math.max(0, until * deadlineMs - (performance.now() - startedAt))
    const notice = setTimeout(() => report(`Waiting for ${name()}.`), silentMs)
    const limit = Promise.withResolvers<string>()
    const timer = setTimeout(() => limit.resolve(name()), leftMs)
    const ended = stop().then(
      () => undefined,
      (error: unknown) => `${name()} (${(error as Error).message})`,
    )
    const outcome = await Promise.race([ended, limit.promise])
    clearTimeout(notice)
    clearTimeout(timer)
    if (outcome === undefined) continue
    left.push(outcome)
    cut?.()
  }
  return left
}
