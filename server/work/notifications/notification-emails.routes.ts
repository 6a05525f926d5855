import * as contract from '../../../contract/platform/notification-emails.ts'
import { notificationKinds } from '../../../contract/platform/notifications.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { isEmailConfirmed } from '../../access/users/password-reset.store.ts'
import type { Settings } from '../../platform/config.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import { findChoices, storeChoices } from './notification-emails.store.ts'

export function serveNotificationEmails(service: ServerContext): void {
  const { settings } = service

  serve(service, contract.getNotificationEmails, async ({ db, caller }) => ({
    body: await describeEmails(db, settings, caller.userId),
  }))

  serve(service, contract.updateNotificationEmails, async ({ db, caller, body: { choices } }) => {
    const { userId } = caller
    if (new Set(choices.map(({ kind }) => kind)).size < choices.length)
      throw invalid({ choices: ['must name each kind at most once.'] })
    if (!isAvailable(settings) && choices.some(({ delivery }) => delivery !== 'NONE'))
      throw new ApiError(
        'unprocessable',
        'E-mails about notifications need a mail server (FORDRA_SMTP_URL) and the public address of the console (FORDRA_PUBLIC_URL). Ask an administrator.',
      )
    await inTransaction(db, (tx) => storeChoices(tx, userId, choices))
    return { body: await describeEmails(db, settings, userId) }
  })
}

const isAvailable = ({ FORDRA_SMTP_URL, FORDRA_PUBLIC_URL }: Settings) =>
  FORDRA_SMTP_URL !== undefined && FORDRA_PUBLIC_URL !== undefined

async function describeEmails(
  db: Db,
  settings: Settings,
  userId: string,
): Promise<contract.NotificationEmails> {
  const chosen = new Map((await findChoices(db, userId)).map(({ kind, delivery }) => [kind, delivery]))
  return {
    isAvailable: isAvailable(settings),
    isConfirmed: await isEmailConfirmed(db, userId),
    choices: notificationKinds.map((kind) => ({ kind, delivery: chosen.get(kind) ?? 'NONE' })),
  }
}
