/**
 * How debtors behave while a sandbox is moved forward. A model, not a prediction: its shares are invented. It has no state:
 * the same seed, case and letter always give the same answer, whatever happened between.
 */
import { createHash } from 'node:crypto'

/** Shares in whole percent. */
export interface DebtorModel {
  seed: number
  /** Of letters: the debtor pays all, pays a part, promises to pay, or objects. The rest does nothing. */
  full: number
  part: number
  promise: number
  object: number
  /** Of promises: kept on the promised day. */
  keep: number
  /** Of instalments of payment plans: paid on the due date. */
  instalment: number
}

export const usualModel: DebtorModel = {
  seed: 1,
  full: 8,
  part: 4,
  promise: 4,
  object: 2,
  keep: 60,
  instalment: 85,
}

export type AnswerKind = 'full' | 'part' | 'promise' | 'object'

export interface Answer {
  kind: AnswerKind
  /** Days from the letter to the answer, 1 to `answerDaysMax`. */
  afterDays: number
  /** Of a part payment: percent of what is owed. */
  percent: number
}

export const answerDaysMax = 21
/** From the promise to the promised day. */
export const promiseDays = 14
const [percentMin, percentRange] = [10, 61]

/** Three independent fractions from 0 to below 1. */
function draw(seed: number, ...key: (string | number)[]): [number, number, number] {
  const bytes = createHash('sha256')
    .update(JSON.stringify([seed, ...key]))
    .digest()
  const fraction = (at: number) => bytes.readUInt32BE(at * 4) / 2 ** 32
  return [fraction(0), fraction(1), fraction(2)]
}

/** The answer to a case's letter, counted from 1. Null when the debtor does nothing. */
export function drawAnswer(model: DebtorModel, caseNumber: string, letter: number): Answer | null {
  const [choice, days, part] = draw(model.seed, 'letter', caseNumber, letter)
  let below = 0
  for (const kind of ['full', 'part', 'promise', 'object'] as const) {
    below += model[kind] / 100
    if (choice < below)
      return {
        kind,
        afterDays: 1 + Math.floor(days * answerDaysMax),
        percent: percentMin + Math.floor(part * percentRange),
      }
  }
  return null
}

export const keepsPromise = (model: DebtorModel, caseNumber: string, promisedDate: string): boolean =>
  draw(model.seed, 'promise', caseNumber, promisedDate)[0] < model.keep / 100

export const paysInstalment = (model: DebtorModel, planGuid: string, paymentNo: number): boolean =>
  draw(model.seed, 'instalment', planGuid, paymentNo)[0] < model.instalment / 100
