/** What a letter says in answer to an objection, a complaint or hardship. It demands nothing. */
import type { Objection } from '../../../contract/cases/objections.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { toMinor } from '../../../core/money/money.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { findText, texts } from '../../../core/text/texts.ts'
import { requireObjection } from '../../cases/objections/objections.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { formatAmount, formatDay } from './letter-formats.ts'

export type LetterAnswer = Pick<
  Objection,
  | 'caseGuid'
  | 'caseNumber'
  | 'currencyCode'
  | 'matter'
  | 'reason'
  | 'receivedDate'
  | 'status'
  | 'answer'
  | 'decisionReason'
  | 'creditedAmount'
  | 'measure'
  | 'referredDate'
>

/** Throws a 404 for an objection that the caller may not see, and a 422 for one that was neither answered nor decided. */
export async function findLetterAnswer(db: Db, caller: Caller, objectionGuid: string): Promise<LetterAnswer> {
  const found = await requireObjection(db, caller, objectionGuid)
  if (found.status !== 'OPEN') return found
  const message = 'Answer or decide it first: the letter tells the debtor what was answered.'
  throw new ApiError('unprocessable', message, { errors: { objectionGuid: [message] } })
}

export interface AnswerText {
  title: string
  paragraphs: string[]
  footer: string
}

/** Each line is a paragraph. */
const say = (text: string, values: Record<string, string>): string[] =>
  fillPlaceholders(text, values).split('\n')

export function composeAnswer(one: LetterAnswer, language: Language): AnswerText {
  const words = texts[language].letter
  const day = (date: string | null) => (date === null ? '' : formatDay(language, date.slice(0, 10)))
  return {
    title: findText(language, 'letter', `answer.${one.matter}`) ?? '',
    paragraphs: [
      ...say(words['answer.received'], { date: day(one.receivedDate), reason: one.reason ?? '' }),
      ...(one.answer ? say(words['answer.given'], { answer: one.answer }) : []),
      ...describeDecision(one, language),
      ...(one.referredDate === null ? [] : say(words['answer.referred'], { date: day(one.referredDate) })),
      words['answer.further'],
    ],
    footer: fillPlaceholders(words['answer.footer'], { case: one.caseNumber }),
  }
}

function describeDecision(one: LetterAnswer, language: Language): string[] {
  const words = texts[language].letter
  const paragraphs = [findText(language, 'letter', `answer.${one.status}`) ?? '']
  if (one.decisionReason) paragraphs.push(...say(words['answer.grounds'], { reason: one.decisionReason }))
  const currency = one.currencyCode ?? ''
  if (one.creditedAmount) {
    const amount = `${formatAmount(language, toMinor(one.creditedAmount, currency), currency)} ${currency}`
    paragraphs.push(fillPlaceholders(words['answer.credited'], { amount }))
  }
  if (one.measure !== null && one.measure !== 'NONE') {
    const measure = findText(language, 'lookup', `forbearance.${one.measure}`) ?? one.measure
    paragraphs.push(fillPlaceholders(words['answer.measure'], { measure }))
  }
  return paragraphs
}
