/** Asks contact permission again at the moment when a message leaves: much may have changed since it was written. */
import { askContact } from '../../claims/contact-permission.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { AskPermission } from '../../platform/messages/send.ts'

/** Reasons for which a letter is posted instead of e-mailed. */
const posted: ReadonlySet<string> = new Set(['optOut', 'protectedIdentity'])

/** `now` is the real time, which hours and frequency go by; `today` the business date. */
export const createContactGate =
  (db: Db, { today, now = () => new Date() }: { today: () => string; now?: () => Date }): AskPermission =>
  async ({ debtorId, caseId, documentId }, channel) => {
    const question = { debtorGuid: debtorId!, caseGuid: caseId, at: now().toISOString(), date: today() }
    const [answer] = await askContact(db, [channel], question)
    const { allowed, reason, from, recipientGuid } = answer!
    const isLetter = documentId !== null
    if (!allowed)
      return isLetter && channel === 'email' && posted.has(reason!) ? 'post' : { reason: reason!, from }
    if (!isLetter) return null
    const [document] = await db<{ addressee: string }[]>`
      select coalesce(addressee_id, debtor_id) as addressee from document where id = ${documentId}`
    // Written to a debtor who is a minor, or to a guardian who is none any more.
    return document!.addressee === recipientGuid ? null : { reason: 'minor', from: null }
  }
