/** Which cases a letter demands together when a person writes it. */
import type { DocumentKind } from '../../../contract/collection/documents.ts'
import { findBundling } from '../../../core/law/bundling.ts'
import { judge } from '../../../core/law/permissions.ts'
import { daysBetween } from '../../../core/calendar/calendar.ts'
import { findDemandFacts, listGroupCases } from '../../cases/demands/demand-groups.store.ts'
import { lockCases } from '../../claims/case-lock.ts'
import { makeGroupPaymentReference } from '../../claims/payment-reference.rules.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { findFeeTables, findLegalCases } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { findGroupReferences, insertGroups } from './demand-groups.store.ts'

interface Asked {
  debtorGuid: string
  caseGuid: string | null
  kind: DocumentKind
  /** YYYY-MM-DD. */
  dueDate: string | null
}

export interface JointLetter {
  /** The oldest first. */
  caseGuids: readonly string[]
  /** Null before the first demand. */
  groupGuid: string | null
  rule: string | null
  clientGuid: string
  /** The main debtor. */
  debtorGuid: string
  currencyCode: string
}

/** Null for a letter about one case only. A case is in the letter only if its law allows this letter for it. */
export async function findJointLetter(
  db: Db,
  caller: Caller,
  { caseGuid, kind, dueDate }: Asked,
  date: string,
): Promise<JointLetter | null> {
  if (caseGuid === null || kind === 'statement' || kind === 'answer') return null
  const facts = await findDemandFacts(db, caseGuid)
  if (!facts) return null
  const { groupGuid, wish, country, currencyCode, clientGuid } = facts
  const debtor = facts.isBusiness ? 'business' : 'consumer'
  const bundling = findBundling(country, { date, debtor, wish })
  if (facts.demandedAlone || !bundling?.actions.includes(`letter:${kind}`)) return null
  const rows = await listGroupCases(db, caller, { caseGuid, groupGuid })
  const own = rows.find((row) => row.caseGuid === caseGuid)
  const open = rows.filter(
    (row) =>
      row.isDemanded &&
      row.remainingMinor > 0 &&
      row.status === own?.status &&
      row.subStatus === own.subStatus,
  )
  const guids = open.map((row) => row.caseGuid)
  const legal = await findLegalCases(db, guids, date)
  const fees = (await findFeeTables(db, [country], date))(country)
  const dueDays = dueDate === null ? null : daysBetween(date, dueDate)
  const caseGuids = guids.filter((guid) => {
    const one = legal.get(guid)!
    const verdict = judge(one, { action: `letter:${kind}`, date, dueDays }, fees)
    return verdict.allowed && verdict.recipient === 'debtor' && one.circumstances.length === 0
  })
  if (caseGuids.length < 2 || !caseGuids.includes(caseGuid)) return null
  const parties = { clientGuid, debtorGuid: facts.mainDebtorGuid }
  return { caseGuids, groupGuid, rule: bundling.rule?.code ?? null, currencyCode, ...parties }
}

/**
 * Locks the date and the cases of a letter, then finds the letter's cases again: they may have changed before the lock. Call
 * it before anything of the debtor is locked.
 */
export async function lockJointLetter(
  tx: Db,
  caller: Caller,
  asked: Asked,
  date: string,
): Promise<JointLetter | null> {
  const seen = await findJointLetter(tx, caller, asked, date)
  if (seen === null) return null
  await holdDate(tx)
  const locked = new Set((await lockCases(tx, caller, seen.caseGuids)).map(({ caseGuid }) => caseGuid))
  const found = await findJointLetter(tx, caller, asked, date)
  if (found === null) return null
  const caseGuids = found.caseGuids.filter((guid) => locked.has(guid))
  return caseGuids.length < 2 ? null : { ...found, caseGuids }
}

/** The payment reference of the group. Null while there is no group: sending the letter makes it. */
export const findReference = async (db: Db, { groupGuid }: JointLetter): Promise<string | null> =>
  groupGuid === null ? null : (await findGroupReferences(db, [groupGuid])).get(groupGuid)!

/** Returns the payment reference of the group of the letter's cases. Makes the group if there is none. */
export async function keepGroup(tx: Db, { groupGuid, ...group }: JointLetter, date: string): Promise<string> {
  if (groupGuid !== null) return (await findGroupReferences(tx, [groupGuid])).get(groupGuid)!
  const [made] = await insertGroups(tx, [group], {
    date,
    makeReference: makeGroupPaymentReference,
  })
  return made!.reference
}
