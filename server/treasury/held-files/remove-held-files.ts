/**
 * Removes held bank files that may be kept no longer: after their time, and when a person whom they name is erased. A
 * request that waits for such a file ends, with the reason.
 */
import { endRequests } from '../../access/approvals/end-requests.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { namesPerson, type PersonTexts } from './find-person.ts'
import * as store from './held-files.store.ts'

/** Deletes files whose request is decided, that nobody asked for within a day, or that waited for 30 days. */
export const purgeHeldFiles = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    const [clock] = await tx<{ today: string }[]>`select business_date as today from business_clock`
    const origin = { actorId: null, requestId: null, operation: 'purge-expired', businessDate: clock!.today }
    for (const { heldFileGuid, approvalGuids } of await store.listExpired(tx)) {
      await endRequests(tx, approvalGuids, 'FILE_EXPIRED', origin)
      await store.deleteHeld(tx, heldFileGuid)
    }
    await store.deleteDecided(tx)
  })

/**
 * Deletes held files that name the person. What was never booked is no voucher, so nothing obliges anybody to keep it.
 * Returns their number.
 */
export async function eraseHeldFiles(tx: Db, person: PersonTexts, origin: Origin): Promise<number> {
  let erased = 0
  for (const { heldFileGuid, fileName, approvalGuids } of await store.listHeld(tx)) {
    const file = await store.findContent(tx, heldFileGuid)
    if (!file || !(await namesPerson({ ...file, fileName }, person))) continue
    await endRequests(tx, approvalGuids, 'PERSON_ERASED', origin)
    await store.forgetFileNames(tx, approvalGuids)
    await store.deleteHeld(tx, heldFileGuid)
    erased++
  }
  return erased
}
