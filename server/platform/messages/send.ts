/** Sends what is in the outbox: e-mail by SMTP, text messages by an HTTP gateway. */
import { createTransport } from 'nodemailer'
import type { Settings } from '../config.ts'
import type { Db } from '../database/transaction.ts'
import {
  markFailed,
  markSent,
  postLetters,
  takeMessage,
  type Channel,
  type DueMessage,
} from './messages.store.ts'

/** Hands one message on. Throws when it could not be. */
export type Send = (message: DueMessage) => Promise<void>
export type Senders = { readonly [C in Channel]?: Send }

const timeoutMs = 15_000
/** So many of one round: a long queue must not keep the rest of the background work waiting for ever. */
const roundMax = 100

/** A document as a file to be sent along. */
export type ReadAttachment = (documentId: string) => Promise<{ filename: string; content: Buffer }>

/** The senders of the channels that are configured. */
export function createSenders(settings: Settings, readAttachment?: ReadAttachment): Senders {
  const { FORDRA_SMTP_URL: smtpUrl, FORDRA_MAIL_FROM: mailFrom } = settings
  const { FORDRA_SMS_URL: smsUrl, FORDRA_SMS_TOKEN: smsToken } = settings
  return {
    ...(smtpUrl !== undefined && { email: createMailSender(smtpUrl, mailFrom!, readAttachment) }),
    ...(smsUrl !== undefined && { sms: createSmsSender(smsUrl, smsToken) }),
  }
}

function createMailSender(url: string, from: string, readAttachment?: ReadAttachment): Send {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ id, recipient, subject, body, documentId }) => {
    const attachment = documentId === null ? undefined : await readAttachment?.(documentId)
    if (documentId !== null && !attachment) throw new Error('A letter needs its document.')
    await transport.sendMail({
      from,
      to: { name: '', address: recipient },
      subject,
      text: body,
      ...(attachment && { attachments: [{ ...attachment, contentType: 'application/pdf' }] }),
      // The same for every try, so that a mail server can tell a repetition.
      messageId: `<${id}@fordra>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  }
}

function createSmsSender(url: string, token: string | undefined): Send {
  return async ({ id, recipient, body }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': id,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ to: recipient, text: body }),
      // The token is for this address, not for one that it names.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new GatewayRefusal(response.status)
  }
}

class GatewayRefusal extends Error {
  readonly status: number
  constructor(status: number) {
    super(`The SMS gateway answered ${status}.`)
    this.status = status
  }
}

/**
 * Sends what is due, the channels side by side. A failure ends its channel's round: a server that does not answer must
 * not keep a round waiting once for every message.
 */
export async function sendMessages(
  db: Db,
  senders: Senders,
  onError: (error: Error) => void = () => {},
): Promise<void> {
  // Without a mail server a letter would wait until it expires, and never reach its debtor.
  if (!senders.email) await postLetters(db, { id: null, attempts: 0 })
  await Promise.all(
    (Object.keys(senders) as Channel[]).map((channel) => sendOf(channel, db, senders, onError)),
  )
}

async function sendOf(
  channel: Channel,
  db: Db,
  senders: Senders,
  onError: (error: Error) => void,
): Promise<void> {
  for (let count = 0; count < roundMax; count++) {
    const message = await takeMessage(db, channel)
    if (!message) return
    try {
      await senders[channel]!(message)
    } catch (error) {
      const why = describeFailure(error)
      await markFailed(db, message.id, why)
      return onError(new Error(`Message ${message.id} was not sent: ${why}`))
    }
    await markSent(db, message.id)
  }
}

/** Codes only: what a server says may repeat the recipient or the text. */
function describeFailure(error: unknown): string {
  if (error instanceof GatewayRefusal) return error.message
  const { name, code, responseCode, cause } = error as Record<string, unknown>
  const inner = (cause as { code?: unknown } | undefined)?.code
  const codes = [code ?? inner, responseCode].filter(
    (one) => typeof one === 'string' || typeof one === 'number',
  )
  return codes.length > 0 ? codes.join(' ') : String(name)
}
