/**
 * What is asked of the database while another of its kind is being answered goes there together, in one statement: being
 * sent, woken for, committed and answered costs as much for one as for many. What is asked alone goes at once.
 */
import DataLoader from 'dataloader'
import type { Db } from './transaction.ts'

/** Answers questions in their order. When it throws, none of them has had any effect. */
export type AnswerAll<Question, Answer> = (
  db: Db,
  questions: readonly Question[],
) => Promise<readonly Answer[]>

/** Those of one kind that have no answer yet, and what gathers them. */
interface Asked<Question, Answer> {
  count: number
  loader?: DataLoader<Question, Answer>
}

/** At most so many in one statement. */
const togetherMax = 100

/** Errors of which one question may be the reason: a value, a constraint, a deadlock, an exception of a trigger. */
const ofOne = /^(22|23|40|P0)/

/** What asks one question: of a pool together with others of its kind, in a transaction by itself. A kind may be an object. */
export function together<Question, Answer>(
  answerAll: AnswerAll<Question, Answer>,
): (db: Db, question: Question, kind?: unknown) => Promise<Answer> {
  const answerOne = async (db: Db, question: Question) => (await answerAll(db, [question]))[0] as Answer
  const answerMany = (db: Db, questions: readonly Question[]) =>
    answerAll(db, questions).catch((error: unknown) => {
      if (questions.length === 1 || !ofOne.test(String((error as { code?: unknown }).code))) throw error
      return Promise.all(questions.map((question) => answerOne(db, question).catch((own: Error) => own)))
    })
  const gather = (db: Db) =>
    new DataLoader<Question, Answer>((questions) => answerMany(db, questions), {
      cache: false,
      maxBatchSize: togetherMax,
      batchScheduleFn: setImmediate,
    })
  const pools = new WeakMap<Db, Map<unknown, Asked<Question, Answer>>>()

  return async (db, question, kind) => {
    if (!('begin' in db)) return answerOne(db, question)
    let kinds = pools.get(db)
    if (!kinds) pools.set(db, (kinds = new Map()))
    let asked = kinds.get(kind)
    if (!asked) kinds.set(kind, (asked = { count: 0 }))
    asked.count++
    try {
      if (asked.count === 1) return await answerOne(db, question)
      asked.loader ??= gather(db)
      return await asked.loader.load(question)
    } finally {
      if (--asked.count === 0) kinds.delete(kind)
    }
  }
}
