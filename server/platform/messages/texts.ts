/** What the service writes to its users, in their language. */
import type { Language } from '../../../contract/platform/languages.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { texts } from '../../../core/text/texts.ts'

export const messageKinds = ['mfa-code', 'password-reset', 'invitation'] as const
export type MessageKind = (typeof messageKinds)[number]

export interface MessageText {
  subject: string
  body: string
}

/** The text of a message. `secret` is a code, a token or an address that holds one. */
export function composeMessage(
  kind: MessageKind,
  language: Language,
  { secret, minutes, agency = '' }: { secret: string; minutes: number; agency?: string },
): MessageText {
  const { message } = texts[language]
  const values = { secret, minutes: String(minutes), hours: String(Math.floor(minutes / 60)), agency }
  const body = fillPlaceholders(message[`${kind}.body`], values)
  return { subject: message[`${kind}.subject`], body }
}

/** With `{sender}`: the e-mail to which a letter is attached. */
export const letterMailText = (language: Language): string => texts[language].message['letter.body']
