/** Sends the messages in the outbox: e-mail by SMTP, text messages by an HTTP gateway. */
import { createTransport } from 'nodemailer'
import type { Settings } from '../config.ts'
import type { Db } from '../database/transaction.ts'
import { logDuration } from '../log/log-detail.ts'
import {
  holdMessage,
  markFailed,
  markSent,
  postLetters,
  takeMessage,
  type Channel,
  type DueMessage,
  type Hold,
} from './messages.store.ts'

/** Sends one message. Throws on failure. */
export type SendMessage = (message: DueMessage) => Promise<void>
export type Senders = { readonly [C in Channel]?: SendMessage }

/** Where a message goes now. `post`: it is a letter, to be printed instead of e-mailed. */
export type Destination = { recipient: string } | 'post'

/** Asked before each message to a debtor. */
export type AskPermission = (message: DueMessage, channel: Channel) => Promise<Destination | Hold>

const timeoutMs = 15_000
/** For all of one e-mail: a server that goes on answering a little would otherwise hold up all others for ever. */
const mailDeadlineMs = 60_000
/** Messages per round: a long queue must not block other background work. */
const roundMax = 100

/** A document as an attachment. */
export type ReadAttachment = (documentId: string) => Promise<{ filename: string; content: Buffer }>

/** The senders of the configured channels. */
export function createSenders(
  settings: Settings,
  readAttachment?: ReadAttachment,
  deadlineMs = mailDeadlineMs,
): Senders {
  const { FORDRA_SMTP_URL: smtpUrl, FORDRA_MAIL_FROM: mailFrom } = settings
  const { FORDRA_SMS_URL: smsUrl, FORDRA_SMS_TOKEN: smsToken } = settings
  return {
    ...(smtpUrl !== undefined && {
      email: createMailSender(smtpUrl, { from: mailFrom!, readAttachment, deadlineMs }),
    }),
    ...(smsUrl !== undefined && { sms: createSmsSender(smsUrl, smsToken, Math.min(timeoutMs, deadlineMs)) }),
  }
}

interface MailOptions {
  from: string
  readAttachment: ReadAttachment | undefined
  deadlineMs: number
}

function createMailSender(url: string, { from, readAttachment, deadlineMs }: MailOptions): SendMessage {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from
    .split('@')
    .at(-1)!
    .replaceAll(/[^\w.-]/g, '')
  return async ({ id, recipient, subject, body, documentId }) => {
    const attachment = documentId === null ? undefined : await readAttachment?.(documentId)
    if (documentId !== null && !attachment) throw new Error('A letter needs its document.')
    const signal = AbortSignal.timeout(deadlineMs)
    const sending = transport.sendMail({
      signal,
      from,
      to: { name: '', address: recipient },
      subject,
      text: body,
      ...(attachment && { attachments: [{ ...attachment, contentType: 'application/pdf' }] }),
      // The same for every attempt, so that a mail server can detect duplicates; of the sender's domain, as spam filters ask.
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    await sending.catch((error: unknown) => {
      throw signal.aborted ? new SendTimeout('mail server', deadlineMs) : error
    })
  }
}

function createSmsSender(url: string, token: string | undefined, deadlineMs: number): SendMessage {
  return async ({ id, recipient, body }) => {
    const signal = AbortSignal.timeout(deadlineMs)
    const asking = fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': id,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ to: recipient, text: body }),
      // The token is only for this address, not for a redirect target.
      redirect: 'error',
      signal,
    })
    const response = await asking.catch((error: unknown) => {
      throw signal.aborted ? new SendTimeout('SMS gateway', deadlineMs) : error
    })
    await response.body?.cancel()
    if (!response.ok) throw new GatewayRefusal(response.status)
  }
}

class SendTimeout extends Error {
  constructor(server: 'mail server' | 'SMS gateway', ms: number) {
    super(`The ${server} did not take the message within ${ms / 1000} s.`)
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
 * Sends due messages, all channels concurrently. A failure ends its channel's round: otherwise each message would wait
 * for an unreachable server.
 */
export async function sendMessages(
  db: Db,
  senders: Senders,
  onError: (error: Error) => void = () => {},
  ask: AskPermission = ({ recipient }) => Promise.resolve({ recipient }),
): Promise<void> {
  // Without a mail server a letter would expire and never reach its debtor.
  if (!senders.email) await postLetters(db, { id: null, attempts: 0 })
  await Promise.all(
    (Object.keys(senders) as Channel[]).map((channel) => sendNext(channel, db, senders, { onError, ask })),
  )
}

async function sendNext(
  channel: Channel,
  db: Db,
  senders: Senders,
  { onError, ask }: { onError: (error: Error) => void; ask: AskPermission },
): Promise<void> {
  for (let count = 0; count < roundMax; count++) {
    const message = await takeMessage(db, channel)
    if (!message) return
    const answer = message.debtorId === null ? message : await ask(message, channel)
    if (answer === 'post') await postLetters(db, { id: message.id, attempts: 0 })
    else if ('reason' in answer) await holdMessage(db, message.id, answer)
    if (answer === 'post' || 'reason' in answer) continue
    try {
      const line = () => ({ channel, message: message.id })
      const { recipient } = answer
      await logDuration('outgoing', line, async () => senders[channel]!({ ...message, recipient }))
    } catch (error) {
      const why = describeFailure(error)
      await markFailed(db, message.id, { error: why, isRefused: isRefusal(error) })
      return onError(new Error(`Message ${message.id} was not sent: ${why}`))
    }
    await markSent(db, message.id)
  }
}

const beforeMessage: readonly unknown[] = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT']

/**
 * True if the mail server or gateway has certainly not taken the message: it refused it, or was not reached. After a connection
 * that broke later nobody knows.
 */
export function isRefusal(error: unknown): boolean {
  if (error instanceof GatewayRefusal) return error.status < 500
  const { code, responseCode, syscall, timeoutType, cause } = error as Record<string, unknown>
  if (cause !== undefined) return isRefusal(cause)
  if (typeof responseCode === 'number') return responseCode >= 400
  return code === 'EDNS' || code === 'EAUTH' || syscall === 'connect' || beforeMessage.includes(timeoutType)
}

/** Codes only: a server's message may repeat the recipient or the text. */
export function describeFailure(error: unknown): string {
  if (error instanceof GatewayRefusal || error instanceof SendTimeout) return error.message
  const { name, code, responseCode, cause } = error as Record<string, unknown>
  const inner = (cause as { code?: unknown } | undefined)?.code
  const codes = [code ?? inner, responseCode].filter(
    (one) => typeof one === 'string' || typeof one === 'number',
  )
  return codes.length > 0 ? codes.join(' ') : String(name)
}
