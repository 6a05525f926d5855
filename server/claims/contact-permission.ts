/** Asks contact permission for a debtor: every message, letter and telephone call. */
import {
  findTimeZone,
  judgeContact,
  localTime,
  type Addressee,
  type ContactChannel,
  type ContactVerdict,
} from '../../core/law/contact.ts'
import { describeRule } from '../../core/law/rule-name.ts'
import { fillPlaceholders } from '../../core/text/fill-in.ts'
import { texts } from '../../core/text/texts.ts'
import type { Reader } from '../platform/dictionary/reader.ts'
import type { Db } from '../platform/database/transaction.ts'
import { ApiError } from '../platform/http/errors.ts'
import { findContactRules, findDebtorContact } from './contact.store.ts'

export interface ContactQuestion {
  debtorGuid: string
  /** Null when it is about all of the debtor's cases. */
  caseGuid: string | null
  channel: ContactChannel
  /** An ISO instant. */
  at: string
  /** The business date, which decides on who is a minor. */
  date: string
  /** The message that asks. */
  messageGuid?: string
}

export interface ContactAnswer extends ContactVerdict {
  recipientGuid: string | null
  languageCode: string | null
  timeZone: string
}

/** One answer for each channel, in their order. */
export async function askContact(
  db: Db,
  channels: readonly ContactChannel[],
  { at, date, ...subject }: Omit<ContactQuestion, 'channel'>,
): Promise<ContactAnswer[]> {
  const { debtorGuid } = subject
  const { facts, guardianGuid, languageCode } = await findDebtorContact(db, subject, date)
  const rules = await findContactRules(db)
  return channels.map((channel) => {
    const verdict = judgeContact(facts, { channel, at }, rules)
    const guids: Record<Addressee, string | null> = {
      debtor: debtorGuid,
      guardian: guardianGuid,
      nobody: null,
    }
    const person = verdict.recipient === 'guardian' ? facts.guardian! : facts.debtor
    return {
      ...verdict,
      recipientGuid: guids[verdict.recipient],
      languageCode,
      timeZone: findTimeZone(person, facts.country),
    }
  })
}

/** Why a contact is not permitted, in one sentence. */
export function describeContact(
  { reason, rule, from, timeZone }: ContactAnswer,
  { language, formats }: Reader,
): string {
  const words = texts[language].law
  const [day = '', time = ''] = from === null ? [] : localTime(timeZone, Date.parse(from)).split('T')
  const sentence = fillPlaceholders(words[`contact.${reason!}`], {
    time: day === '' ? '' : `${formats.day(day)} ${time}`,
  })
  if (rule === null) return sentence
  const status = rule.status === 'verified' ? '' : `, ${words.unverified}`
  return `${sentence} (${describeRule(language, rule)}${status})`
}

/**
 * Who is addressed. Throws a 422 when nobody may be. What only has to wait is no reason: the outbox holds it.
 */
export async function requireAddressee(
  db: Db,
  question: ContactQuestion,
  reader: Reader,
): Promise<ContactAnswer> {
  const [answer] = await askContact(db, [question.channel], question)
  if (answer!.allowed || answer!.from !== null) return answer!
  throw new ApiError('unprocessable', describeContact(answer!, reader), {
    members: { reasonCode: answer!.reason, rule: answer!.rule?.code ?? null },
  })
}
