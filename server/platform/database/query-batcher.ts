/**
 * Batches concurrent queries of one kind into one statement (the dataloader pattern): sending, waking, committing and
 * answering cost as much for one request as for many.
 */
import { bisect } from './bisect.ts'
import type { Db } from './transaction.ts'
import { lockTimeout } from './driver/wait-places.ts'

/**
 * Answers requests of one kind, in their order, by one statement. When it throws an attributable error, none of the
 * requests has had any effect, because each is tried again.
 */
export type BatchQuery<Request, Answer> = (db: Db, requests: readonly Request[]) => Promise<readonly Answer[]>

export interface BatchOptions {
  /**
   * The first request waits for the end of its turn of the event loop too: for requests that come several at a time.
   * Otherwise a lone request is not delayed.
   */
  delaysFirst?: boolean
  /**
   * While so many batches of a kind run, later requests wait for one to end, at most for `waitMs`. Batches are larger then,
   * and a request costs less. Default: no limit.
   */
  runningMax?: number
}

/** Of changes: those whose records were read by one batch come at the same time. */
export const changeBatches: BatchOptions = { delaysFirst: true, runningMax: 2 }

interface Pending<Request, Answer> {
  request: Request
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** The requests of one kind on one pool. */
interface Queue<Request, Answer> {
  /** How many have no answer yet. */
  unanswered: number
  /** Those that are not sent yet. */
  unsent: Pending<Request, Answer>[]
  /** How many batches run. */
  running: number
  /** Set while the unsent wait for a batch to end. */
  deadline: NodeJS.Timeout | undefined
}

const requestsMax = 100
/** Longer than most batches take, so that one that is slow holds nobody up for long. */
export const waitMs = 10

/** SQLSTATEs that one request may cause: a value, a constraint, a deadlock, a limit, a lock, a trigger's exception. */
const attributableErrors = /^(22|23|40|54|55P03|P0)/

const sqlState = (error: unknown) => String((error as { code?: unknown } | null)?.code)

/**
 * Returns a function that sends one request: on a pool in a batch with others of its kind, in a transaction by itself.
 * A kind may be an object.
 */
export function batchQueries<Request, Answer>(
  batchQuery: BatchQuery<Request, Answer>,
  { delaysFirst = false, runningMax = Number.POSITIVE_INFINITY }: BatchOptions = {},
): (db: Db, request: Request, kind?: unknown) => Promise<Answer> {
  const pools = new WeakMap<Db, Map<unknown, Queue<Request, Answer>>>()
  return (db, request, kind) => {
    if (!('begin' in db)) return sendAlone(db, request, batchQuery)
    let queues = pools.get(db)
    if (!queues) pools.set(db, (queues = new Map()))
    const queue = queues.get(kind) ?? { unanswered: 0, unsent: [], running: 0, deadline: undefined }
    queues.set(kind, queue)
    const isSentAtOnce = queue.unanswered++ === 0 && !delaysFirst
    const answered = new Promise<Answer>((resolve, reject) => {
      const isFirst = queue.unsent.push({ request, resolve, reject }) === 1
      if (isSentAtOnce) sendUnsent(db, queue, batchQuery)
      else if (isFirst)
        setImmediate(() => {
          if (queue.running < runningMax) sendUnsent(db, queue, batchQuery)
          else queue.deadline = setTimeout(() => sendUnsent(db, queue, batchQuery), waitMs)
        })
    })
    const end = () => --queue.unanswered === 0 && queues.delete(kind)
    answered.then(end, end)
    return answered
  }
}

const sendAlone = <Request, Answer>(
  db: Db,
  request: Request,
  batchQuery: BatchQuery<Request, Answer>,
): Promise<Answer> =>
  new Promise((resolve, reject) => void sendBatch(db, [{ request, resolve, reject }], batchQuery))

function sendUnsent<Request, Answer>(
  db: Db,
  queue: Queue<Request, Answer>,
  batchQuery: BatchQuery<Request, Answer>,
): void {
  clearTimeout(queue.deadline)
  queue.deadline = undefined
  const pending = queue.unsent.splice(0)
  for (let first = 0; first < pending.length; first += requestsMax) {
    queue.running++
    void sendBatch(db, pending.slice(first, first + requestsMax), batchQuery).then(() => {
      queue.running--
      if (queue.deadline) sendUnsent(db, queue, batchQuery)
    })
  }
}

/** Never rejects. */
async function sendBatch<Request, Answer>(
  db: Db,
  batch: readonly Pending<Request, Answer>[],
  batchQuery: BatchQuery<Request, Answer>,
): Promise<void> {
  await bisect(batch, {
    run: async (part) => {
      const answers = await batchQuery(
        db,
        part.map(({ request }) => request),
      )
      if (answers.length !== part.length)
        throw new RangeError(`${part.length} requests were given ${answers.length} answers.`)
      for (const [index, { resolve }] of part.entries()) resolve(answers[index]!)
    },
    isAttributable: (error) => attributableErrors.test(sqlState(error)),
    fail: (part, error) => {
      for (const { reject } of part) reject(error)
    },
    // Each half would wait for the lock once more.
    countParts: (part, error) => (sqlState(error) === lockTimeout ? part.length : 2),
    parallel: true,
  })
}
