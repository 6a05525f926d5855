/** Tells users by e-mail how many notifications wait for them in the console. */
import type { Language } from '../../../contract/platform/languages.ts'
import { notificationKinds } from '../../../contract/platform/notifications.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { findText, texts } from '../../../core/text/texts.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findUserCaller } from '../../access/sessions/sessions.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { describeFailure, isRefusal, type SendMessage } from '../../platform/messages/send.ts'
import * as store from './notification-emails.store.ts'

/** E-mails per round: other work of the same loop comes next. */
const roundMax = 100

interface DueEmail extends store.DueCounts {
  reader: store.EmailReader
  language: Language
}

type EmailService = Pick<ServerContext, 'sql' | 'settings' | 'sandbox'>

/**
 * Sends an e-mail to each user to whom one is due. What it counts is marked before it leaves, so that a node which ends
 * meanwhile sends nothing twice. Runs in the background on any node; a refusal ends the round.
 */
export async function sendNotificationEmails(
  { sql, settings, sandbox }: EmailService,
  send: SendMessage | undefined,
  onError: (error: Error) => void = () => {},
): Promise<void> {
  const address = settings.FORDRA_PUBLIC_URL
  if (sandbox || !send || address === undefined) return
  for (let count = 0; count < roundMax; count++) {
    const taken = await inTransaction(sql, (tx) => takeEmail(tx, settings.FORDRA_TIME_ZONE))
    if (taken === 'none') return
    if (taken === 'nothing visible') continue
    if (!(await deliver(sql, send, { taken, address, onError }))) return
  }
}

/** Marks and counts with the rights that the user has now. */
async function takeEmail(tx: Db, timeZone: string): Promise<DueEmail | 'none' | 'nothing visible'> {
  const reader = await store.takeReader(tx, timeZone)
  if (!reader) return 'none'
  const caller = await findUserCaller(tx, reader.userId, null)
  if (!caller) return 'nothing visible'
  const due = await store.markEmailed(tx, caller, timeZone)
  return due.counts.length === 0 ? 'nothing visible' : { ...due, reader, language: caller.language }
}

interface Delivery {
  taken: DueEmail
  address: string
  onError: (error: Error) => void
}

/** Returns whether the mail server took the e-mail. What it may have taken is not sent again. */
async function deliver(db: Db, send: SendMessage, { taken, address, onError }: Delivery): Promise<boolean> {
  const { reader, notificationGuids } = taken
  const id = makeId()
  const message = { id, recipient: reader.email, documentId: null, debtorId: null, caseId: null }
  try {
    await send({ ...message, ...composeEmail(taken, address) })
  } catch (error) {
    if (isRefusal(error)) await store.takeBack(db, reader.userId, notificationGuids)
    onError(new Error(`The e-mail about notifications ${id} was not sent: ${describeFailure(error)}`))
    return false
  }
  await store.noteSent(db, reader.userId)
  return true
}

/** Counts and links only: an e-mail is read by more than its recipient. */
function composeEmail({ reader, language, counts }: DueEmail, address: string) {
  const { message } = texts[language]
  const tag = language === 'no' ? 'nb' : language
  const numbers = new Intl.NumberFormat(
    reader.cultureCode ?? (reader.countryFormat ? `${tag}-${reader.countryFormat}` : tag),
  )
  const lines = counts
    .toSorted((a, b) => notificationKinds.indexOf(a.kind) - notificationKinds.indexOf(b.kind))
    .map(
      ({ kind, count }) =>
        `${findText(language, 'lookup', `notificationkind.${kind}`)}: ${numbers.format(count)}`,
    )
  const values = {
    lines: lines.join('\n'),
    notifications: `${address}/notifications`,
    profile: `${address}/profile`,
  }
  return {
    subject: message['notifications.subject'],
    body: fillPlaceholders(message['notifications.body'], values),
  }
}
