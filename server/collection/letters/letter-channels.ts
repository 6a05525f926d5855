/** By which channels a letter can go: the debtor's contact permission, the address on record, and the kind of letter. */
import {
  letterChannels,
  type LetterChannel,
  type DocumentKind,
} from '../../../contract/collection/documents.ts'
import type { LetterChannelOption } from '../../../contract/collection/letters.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { texts } from '../../../core/text/texts.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { askContact, describeContact, type ContactAnswer } from '../../claims/contact-permission.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findMailbox, type Mailbox } from './documents.store.ts'

interface LetterQuestion {
  debtorGuid: string
  caseGuid: string | null
  /** The clients in the letter. */
  clientGuids: readonly string[]
  /** The business date. */
  date: string
}

export interface ChannelAnswer {
  channel: LetterChannel
  option: LetterChannelOption
  /** The debtor or the guardian. Null for nobody. */
  addresseeGuid: string | null
  fullName: string
}

export type AnswerChannels = (kind: DocumentKind) => ChannelAnswer[]

/** The answers by kind of letter, in the order of `letterChannels`. */
export async function findChannels(
  db: Db,
  { debtorGuid, caseGuid, clientGuids, date }: LetterQuestion,
  language: Language,
): Promise<AnswerChannels> {
  const question = { debtorGuid, caseGuid, at: new Date().toISOString(), date }
  const contacts = await askContact(db, letterChannels, question)
  const mailbox = await findMailbox(db, contacts[0]!.recipientGuid ?? debtorGuid, clientGuids)
  return (kind) =>
    contacts.map((contact, index) => answer(letterChannels[index]!, contact, { kind, mailbox, language }))
}

function answer(
  channel: LetterChannel,
  contact: ContactAnswer,
  { kind, mailbox, language }: { kind: DocumentKind; mailbox: Mailbox; language: Language },
): ChannelAnswer {
  const { email, phone } = mailbox
  const recipient = { letter: null, email, sms: phone }[channel]
  const barred = findObstacle(channel, kind, mailbox)
  const isRefused = !contact.allowed && contact.from === null
  const refusal = contact.allowed ? null : describeContact(contact, findReader(language))
  return {
    channel,
    option: {
      channel,
      allowed: barred === null && !isRefused,
      reason: barred !== null && !isRefused ? texts[language].law[`channel.${barred}`] : refusal,
      rule: contact.rule?.code ?? null,
      from: contact.from,
      recipient,
    },
    addresseeGuid: contact.recipientGuid,
    fullName: mailbox.fullName,
  }
}

export const channelObstacles = ['smsStatement', 'noPhone', 'noEmail', 'paper', 'client'] as const
type Obstacle = (typeof channelObstacles)[number]

/** What stands in the way whatever the debtor permits (docs/domain/strategies.md#letters-by-hand). */
function findObstacle(channel: LetterChannel, kind: DocumentKind, mailbox: Mailbox): Obstacle | null {
  if (channel === 'sms')
    return kind !== 'statement' ? 'smsStatement' : mailbox.phone === null ? 'noPhone' : null
  if (channel === 'letter') return null
  if (mailbox.email === null) return 'noEmail'
  if (kind === 'legal' || mailbox.countryCode === 'NO') return 'paper'
  return mailbox.clientsAllowEmail ? null : 'client'
}

/** The channel of a letter for which none is given, as for the letters of strategies. */
export const chooseChannel = (answers: readonly ChannelAnswer[]): ChannelAnswer | undefined =>
  [
    answers.find(({ channel }) => channel === 'email'),
    answers.find(({ channel }) => channel === 'letter'),
  ].find((one) => one?.option.allowed)
