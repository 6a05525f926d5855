/** Finds why a letter that was written earlier must not leave now. docs/domain/contact.md has the rules. */
import { daysBetween } from '../../../core/calendar/calendar.ts'
import type { HeldReason } from '../../../core/law/contact.ts'
import type { ShippedFee } from '../../../core/ledger/statutory-fees.ts'
import type { Circumstance, RuleSubject } from '../../../core/law/pack.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import { judge } from '../../../core/law/permissions.ts'
import type { DocumentKind } from '../../../contract/collection/documents.ts'
import { findDisputed } from '../../cases/objections/objections.store.ts'
import { findLegalCases } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { findWrittenLetter, listLetterCases, type LetterCaseNow } from './documents.store.ts'

/** What else must have been true when it was written: how often and after what is judged once. */
const asked: ReadonlySet<RuleSubject> = new Set<RuleSubject>(['circumstance', 'deadline'])

/** Letters that the law of the case does not judge. */
const withoutDemand: ReadonlySet<DocumentKind> = new Set(['statement', 'plan', 'answer'])

/** No amount is asked of a letter. */
const noFees: readonly ShippedFee[] = []

/** Null for a letter that may leave as it is. `today` is the business date. */
export async function findOutdated(db: Db, documentGuid: string, today: string): Promise<HeldReason | null> {
  const { kind, dueDate, planEnded, planChanged } = await findWrittenLetter(db, documentGuid)
  if (planEnded) return 'planEnded'
  if (planChanged) return 'planChanged'
  const cases = await listLetterCases(db, documentGuid)
  const changed = await findChange(db, cases)
  if (changed !== null || withoutDemand.has(kind)) return changed
  if (cases.some(({ isOtherLaw }) => isOtherLaw)) return 'lawChanged'
  if (dueDate !== null && dueDate < today) return 'lateDeadline'
  return judgeAgain(db, { kind, dueDate, caseGuids: cases.map(({ caseGuid }) => caseGuid) }, today)
}

async function findChange(db: Db, cases: readonly LetterCaseNow[]): Promise<HeldReason | null> {
  if (cases.some(({ isClosed }) => isClosed)) return 'caseClosed'
  const disputed = await findDisputed(
    db,
    cases.map(({ caseGuid }) => caseGuid),
  )
  const owesLess = cases.some(
    ({ caseGuid, demanded, owed, returning }) =>
      demanded !== null &&
      BigInt(owed) + BigInt(returning) - (disputed.get(caseGuid) ?? 0n) < BigInt(demanded),
  )
  if (owesLess) return 'owesLess'
  return cases.some(({ isOnHold }) => isOnHold) ? 'caseOnHold' : null
}

interface Demand {
  kind: DocumentKind
  dueDate: string | null
  caseGuids: readonly string[]
}

async function judgeAgain(
  db: Db,
  { kind, dueDate, caseGuids }: Demand,
  date: string,
): Promise<HeldReason | null> {
  const legal = await findLegalCases(db, caseGuids, date)
  const question = {
    action: `letter:${kind}`,
    date,
    ...(dueDate !== null && { dueDays: daysBetween(date, dueDate) }),
  }
  const refuse = (one: LegalCase) => judge(one, question, noFees, asked)
  const refused = [...legal.values()].map(refuse).find(({ allowed }) => !allowed)
  if (!refused) return null
  return refused.reason === 'deadline' ? 'lateDeadline' : (refused.reason as Circumstance)
}
