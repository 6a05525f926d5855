/** Joins what is asked for at the same moment into one call. */
import { isPassing } from '../database/transaction.ts'

/**
 * A function for one item over `runAll`, which takes several and answers in their order. Items that come in the same turn
 * of the event loop are taken together, and nobody waits for another. When they are refused together each is tried by
 * itself, so that one says nothing about the others; not when the database is away, since then they may have been taken.
 */
export function gather<Item, Answer>(
  runAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  type Asked = { item: Item; answer: PromiseWithResolvers<Answer> }
  let gathered: Asked[] = []
  const run = async (asked: readonly Asked[]): Promise<void> => {
    try {
      const answers = await runAll(asked.map(({ item }) => item))
      for (const [index, { answer }] of asked.entries()) answer.resolve(answers[index]!)
    } catch (error) {
      if (asked.length > 1 && !isPassing(error)) for (const one of asked) void run([one])
      else for (const { answer } of asked) answer.reject(error)
    }
  }
  const runGathered = () => {
    const asked = gathered
    gathered = []
    void run(asked)
  }
  return (item) => {
    if (gathered.length === 0) setImmediate(runGathered)
    const answer = Promise.withResolvers<Answer>()
    gathered.push({ item, answer })
    return answer.promise
  }
}
