/** Whether the job queue of this node goes on: it looks for jobs, or works on as many as it may. */
export class QueueHealth {
  /** After how long without a sign the queue counts as standing still. An idle queue looks for jobs every 2 s. */
  stillAfterMs = 15_000
  #signAt = 0
  /** Undefined while the node runs no jobs. */
  #isFull: (() => boolean) | undefined

  /** Expects signs from now on. `isFull` tells that all places are taken: the queue then looks for nothing. */
  watch(isFull: () => boolean): void {
    this.#isFull = isFull
    this.sign()
  }

  stop(): void {
    this.#isFull = undefined
  }

  /** The queue has looked for jobs, or a job has begun or ended. */
  sign(): void {
    this.#signAt = performance.now()
  }

  /** For how many seconds the queue has stood still; 0 while it goes on. */
  stillSeconds(): number {
    if (this.#isFull === undefined || this.#isFull()) return 0
    const ms = performance.now() - this.#signAt
    return ms < this.stillAfterMs ? 0 : ms / 1_000
  }
}
