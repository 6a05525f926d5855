/** Deletes a debtor on which nothing depends, with the debtor's addresses and extra fields. */
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { changesBetween } from '../../platform/events/record.ts'
import { deleteTracked, type TrackedTable } from '../../platform/events/tracked-row.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { notFound } from '../../platform/http/errors.ts'
import { inUse } from '../../platform/http/in-use.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { deletedAddress } from './addresses.changes.ts'
import { findAddress } from './addresses.store.ts'
import { lockDebtor, type DebtorChangeNote, type VisibleDebtor } from './debtor-lock.ts'
import { findDebtorForChange } from './debtors.store.ts'

const debtors: TrackedTable = { table: 'debtor', entity: 'debtor', guidName: 'debtorGuid' }

/** Throws a 404, a 409 that names what depends on the debtor, or a 412. */
export async function removeDebtor(
  db: Db,
  caller: Caller,
  { debtorGuid, ifMatch }: { debtorGuid: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { debtor, note } = await lockDebtor(tx, caller, debtorGuid, origin)
    const before = await findDebtorForChange(tx, caller, debtorGuid)
    if (!before) throw notFound('debtor')
    requireMatch(ifMatch, before.version)
    const used = inUse('debtor', await countUses(tx, caller, debtorGuid))
    if (used) throw used
    await note(await removeParts(tx, debtor))
    await tx`delete from favorite where target = ${debtorGuid}`
    await tx`delete from item where guid = ${debtorGuid}`
    await deleteTracked(tx, debtors, { guid: debtorGuid, before: before.record }, origin)
  })
}

/**
 * What depends on a debtor, counted by what it is. A restricted caller sees a debtor with cases only by a case of their
 * own clients: the others are not counted, so that nobody learns of them.
 */
async function countUses(tx: Db, caller: Caller, debtorGuid: string): Promise<Record<string, number>> {
  const parties = caller.partyIds === null ? 'true' : `cd.client_id = any($2::uuid[])`
  const [cases] = await runStatement<{ cases: number }>(
    tx,
    `select count(*)::int as cases from case_debtor cd where cd.debtor_id = $1 and ${parties}`,
    caller.partyIds === null ? [debtorGuid] : [debtorGuid, [...caller.partyIds]],
  )
  if (cases!.cases > 0) return { ...cases }
  const [row] = await tx<Record<string, number>[]>`
    select (select count(*)::int from payment_plan where debtor_id = ${debtorGuid}) as "payment plans",
      (select count(*)::int from payment where debtor_id = ${debtorGuid}) as payments,
      (select count(*)::int from document where debtor_id = ${debtorGuid}) as letters,
      (select count(*)::int from customer where debtor_id = ${debtorGuid}) as customers,
      (select count(*)::int from note where item_guid = ${debtorGuid}) as notes,
      (select count(*)::int from attachment where item_guid = ${debtorGuid}) as "attached files"`
  return row!
}

/** Deletes what is a part of the debtor. Returns the notes about each. */
async function removeParts(tx: Db, debtorGuid: VisibleDebtor): Promise<DebtorChangeNote[]> {
  const addresses = await tx<
    { id: string }[]
  >`select id from address where debtor_id = ${debtorGuid} order by id`
  const found = await Promise.all(addresses.map(({ id }) => findAddress(tx, debtorGuid, id)))
  await tx`delete from address where debtor_id = ${debtorGuid}`
  const fields = await tx<{ id: string; name: string; value: string[] }[]>`
    delete from extra_field where debtor_id = ${debtorGuid} returning id, name, value`
  return [
    ...found.map((address) => deletedAddress(address!)),
    ...fields.map(({ id, name, value }) => ({
      type: 'extrafield.deleted' as const,
      entityId: id,
      data: { name },
      changes: changesBetween({ name, value }, { name: null, value: null }),
    })),
  ]
}
