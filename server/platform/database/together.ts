/**
 * What is asked of the database while another of its kind is being answered goes there together, in one statement: being
 * sent, woken for, committed and answered costs as much for one as for many. What is asked alone goes at once.
 */
import type { Db } from './transaction.ts'

/**
 * Answers questions of one kind, in their order, by one statement: when it throws an error that the database gave for one of
 * them, none has had any effect, as they are asked again.
 */
export type AnswerAll<Question, Answer> = (
  db: Db,
  questions: readonly Question[],
) => Promise<readonly Answer[]>

interface Waiting<Question, Answer> {
  question: Question
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Those of one kind that have no answer yet, and of them the ones that were not yet sent. */
interface Asked<Question, Answer> {
  count: number
  waiting: Waiting<Question, Answer>[]
}

/** At most so many in one statement. */
const togetherMax = 100

/** Errors of which one question may be the reason: a value, a constraint, a deadlock, a limit, a lock, an exception of a trigger. */
const ofOne = /^(22|23|40|54|55P03|P0)/

/** What asks one question: of a pool together with others of its kind, in a transaction by itself. A kind may be an object. */
export function together<Question, Answer>(
  answerAll: AnswerAll<Question, Answer>,
): (db: Db, question: Question, kind?: unknown) => Promise<Answer> {
  const pools = new WeakMap<Db, Map<unknown, Asked<Question, Answer>>>()
  return (db, question, kind) => {
    let kinds = pools.get(db)
    if (!kinds) pools.set(db, (kinds = new Map()))
    let asked = kinds.get(kind)
    if (!asked) kinds.set(kind, (asked = { count: 0, waiting: [] }))
    const { waiting } = asked
    const isAlone = asked.count++ === 0 || !('begin' in db)
    const answered = new Promise<Answer>((resolve, reject) => {
      const one = { question, resolve, reject }
      if (isAlone) void answer(db, [one], answerAll)
      else if (waiting.push(one) === 1) setImmediate(() => answerWaiting(db, waiting.splice(0), answerAll))
    })
    const end = () => --asked.count === 0 && kinds.delete(kind)
    answered.then(end, end)
    return answered
  }
}

function answerWaiting<Question, Answer>(
  db: Db,
  waiting: readonly Waiting<Question, Answer>[],
  answerAll: AnswerAll<Question, Answer>,
): void {
  for (let first = 0; first < waiting.length; first += togetherMax)
    void answer(db, waiting.slice(first, first + togetherMax), answerAll)
}

/** Never rejects. When all fail for what one of them may be the reason of, each half is asked again by itself. */
async function answer<Question, Answer>(
  db: Db,
  waiting: readonly Waiting<Question, Answer>[],
  answerAll: AnswerAll<Question, Answer>,
): Promise<void> {
  try {
    const questions = waiting.map(({ question }) => question)
    const answers = await answerAll(db, questions)
    if (answers.length !== questions.length)
      throw new RangeError(`${questions.length} questions were given ${answers.length} answers.`)
    for (const [index, { resolve }] of waiting.entries()) resolve(answers[index]!)
  } catch (error) {
    if (waiting.length === 1 || !ofOne.test(String((error as { code?: unknown } | null)?.code))) {
      for (const { reject } of waiting) reject(error)
      return
    }
    const half = Math.ceil(waiting.length / 2)
    await Promise.all(
      [waiting.slice(0, half), waiting.slice(half)].map((part) => answer(db, part, answerAll)),
    )
  }
}
