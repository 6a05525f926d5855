/** Asks contact permission again at the moment when a message leaves: much may have changed since it was written. */
import { askContact, type ContactAnswer } from '../../claims/contact-permission.ts'
import type { HeldReason } from '../../../core/law/contact.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  permitMessage,
  type Channel,
  type DueMessage,
  type Hold,
} from '../../platform/messages/messages.store.ts'
import type { AskPermission, Destination } from '../../platform/messages/send.ts'
import { findAddress, type Address } from './documents.store.ts'
import { outboxOrigin, restoreLetterFees, reverseLetterFees } from '../letter-fees/letter-fees.ts'
import { findOutdated } from './outdated-letter.ts'
import { forwardingLines } from './write-letter.ts'

/** Reasons for which a letter is posted instead of e-mailed. */
const posted: ReadonlySet<string> = new Set(['optOut', 'protectedIdentity'])

/** Held until it is taken back or the record is changed. */
const until = (reason: HeldReason): Hold => ({ reason, from: null })

/** The messages to one debtor are checked one after the other, on all nodes. */
const contactLock = 7_240_065

/** `now` is the real time, which hours and frequency go by; `today` the business date. */
export const createContactGate =
  (db: Sql, { today, now = () => new Date() }: { today: () => string; now?: () => Date }): AskPermission =>
  (message, channel) =>
    inTransaction(db, async (tx) => {
      const { id, debtorId, caseId, documentId } = message
      await tx`select pg_advisory_xact_lock(${contactLock}, hashtext(${debtorId}))`
      const question = { debtorGuid: debtorId!, caseGuid: caseId, messageGuid: id }
      const [answer] = await askContact(tx, [channel], {
        ...question,
        at: now().toISOString(),
        date: today(),
      })
      const leaving = answer!.allowed
        ? await findLeaving(tx, message, { channel, personGuid: answer!.recipientGuid!, today: today() })
        : refuse(answer!, { channel, isLetter: documentId !== null })
      if (leaving === 'post') return leaving
      if ('recipient' in leaving) await permitMessage(tx, id, leaving.recipient)
      // What only has to wait for its hour still leaves.
      else if (documentId !== null && leaving.from === null)
        await reverseLetterFees(
          tx,
          { documentGuid: documentId, reason: leaving.reason as HeldReason },
          outboxOrigin(today()),
        )
      return leaving
    })

/** Where a permitted message goes, or why a letter must not leave as it is. */
async function findLeaving(
  tx: Db,
  message: DueMessage,
  { channel, personGuid, today }: { channel: Channel; personGuid: string; today: string },
): Promise<Destination | Hold> {
  const { documentId } = message
  const outdated = documentId === null ? null : await findOutdated(tx, documentId, today)
  if (outdated !== null) return until(outdated)
  const destination = await findDestination(tx, message, channel, personGuid)
  if (documentId === null || (destination !== 'post' && 'reason' in destination)) return destination
  return (await restoreLetterFees(tx, documentId, outboxOrigin(today))) ? destination : until('owesLess')
}

const refuse = (
  { reason, from }: ContactAnswer,
  { channel, isLetter }: { channel: Channel; isLetter: boolean },
): Hold | 'post' =>
  isLetter && channel === 'email' && posted.has(reason!) ? 'post' : { reason: reason!, from }

/** To the address on record now, of whoever is addressed now. */
async function findDestination(
  tx: Db,
  { recipient, documentId }: DueMessage,
  channel: Channel,
  personGuid: string,
): Promise<Destination | Hold> {
  const address = await findAddress(tx, { personGuid, documentGuid: documentId })
  const { email, phone, letter } = address
  // Written to a debtor who is a minor, or to a guardian who is none any more.
  if (letter !== null && letter.addresseeGuid !== personGuid) return until('minor')
  if (letter !== null && showsOwnAddress(address, letter.printed)) return until('protectedIdentity')
  if (channel === 'letter') return { recipient }
  const current = channel === 'email' ? email : phone
  if (current !== null) return { recipient: current }
  return channel === 'email' && letter !== null ? 'post' : until('noAddress')
}

/** True for a letter that was written before the person had a protected identity, or another forwarding address. */
const showsOwnAddress = ({ isProtected, forwardingAddress }: Address, printed: readonly string[]): boolean =>
  isProtected && forwardingLines(forwardingAddress ?? '').some((line, index) => printed[index + 1] !== line)
