import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as contract from '../../../contract/parties/retention.ts'
import { findLegalHold } from '../../parties/debtors/retention.routes.ts'
import { requireDebtor } from '../../parties/debtors/debtor-lock.ts'
import { findExtraField } from '../../parties/debtors/extra-fields.store.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { agencyItself } from '../../platform/http/caller.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { eraseDebtor } from './erase-debtor.ts'
import { allKinds } from './personal-members.ts'

export function serveErasure(service: ServerContext): void {
  const { clock, customFields, anchor, settings } = service

  serve(service, contract.eraseDebtor, async ({ db, caller, params: { debtorGuid }, body, origin }) => {
    const debtor = await requireDebtor(db, caller, debtorGuid)
    const { held } = await findLegalHold(db, debtor, clock.today())
    if (held || (await findExtraField(db, debtor, 'legalHold')))
      throw new ApiError(
        'conflict',
        `The debtor is under a legal hold. See /debtors/${debtorGuid}/legalhold and the extra field legalHold.`,
      )
    const kinds = body.personalDataTypeIds ?? [...allKinds]
    const erasure = { id: makeId(), debtorId: debtorGuid, kinds, erasedAt: new Date().toISOString() }
    const custom = await customFields.all()
    const erased = await inTransaction(db, (tx) => eraseDebtor(tx, caller, erasure, { origin, custom }))
    await anchor.recordErasure(erasure)
    const { documentGuids, ...counts } = erased
    await removeLetterFiles(settings.FORDRA_LETTERS, documentGuids)
    return { body: { erasureGuid: erasure.id, ...counts } }
  })
}

/** The PDF files of deleted letters, where they wait to be posted. */
async function removeLetterFiles(
  folder: string | undefined,
  documentGuids: readonly string[],
): Promise<void> {
  if (folder === undefined) return
  for (const guid of documentGuids) await rm(join(folder, `${guid}.pdf`), { force: true })
}

/** What a replay needs of the service. */
export interface ErasureReplay extends Pick<ServerContext, 'sql' | 'customFields'> {
  anchor: Pick<ServerContext['anchor'], 'listErasures'>
  clock: Pick<ServerContext['clock'], 'today'>
  settings: Pick<ServerContext['settings'], 'FORDRA_LETTERS'>
}

/**
 * Carries out the recorded erasures that the database does not have, such as after a restore: before anything is served.
 * Returns their number.
 */
export async function replayErasures(
  { sql, anchor, clock, customFields, settings }: ErasureReplay,
  report: (line: string) => void,
): Promise<number> {
  const { erasures, distrusted } = await anchor.listErasures()
  if (distrusted > 0)
    report(
      `${distrusted} recorded erasures have no valid signature and are not replayed. See fordra verify --anchor.`,
    )
  const known = new Set((await sql<{ id: string }[]>`select id from erasure`).map(({ id }) => id))
  const missing = erasures.filter(({ id }) => !known.has(id))
  if (missing.length === 0) return 0
  const custom = await customFields.all()
  const origin = { actorId: null, requestId: null, operation: 'erasure', businessDate: clock.today() }
  let replayed = 0
  for (const erasure of missing) {
    const documentGuids = await inTransaction(sql, async (tx) => {
      // Another node that starts may replay the same erasure.
      await tx`select pg_advisory_xact_lock(hashtext('replay of erasures'))`
      if ((await tx`select from erasure where id = ${erasure.id}`).length > 0) return undefined
      const [debtor] = await tx`select from debtor where id = ${erasure.debtorId}`
      if (debtor) return (await eraseDebtor(tx, agencyItself, erasure, { origin, custom })).documentGuids
      await tx`
        insert into erasure (id, debtor_id, kinds, erased_at, position)
        values (${erasure.id}, ${erasure.debtorId}, ${[...erasure.kinds]}, ${erasure.erasedAt}, 0)`
      return []
    })
    if (!documentGuids) continue
    replayed++
    await removeLetterFiles(settings.FORDRA_LETTERS, documentGuids)
  }
  if (replayed > 0) report(`Replayed ${replayed} recorded erasures.`)
  return replayed
}
