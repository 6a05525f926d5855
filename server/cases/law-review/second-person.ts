/** The rule of two persons for corrections: all that a request confirms count together. */
import type { LawConfirmation } from '../../../contract/cases/law-reviews.ts'
import {
  ApprovalNeeded,
  requireSecondPerson,
  type Act,
  type ActOrigin,
} from '../../access/approvals/second-person.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { StoredFinding } from './law-reviews.store.ts'

/** Call it for findings about to be corrected, before anything is booked. Throws `ApprovalNeeded`, or a 409 or 422. */
export async function requireTwoForCorrections(
  tx: Db,
  caller: Pick<Caller, 'role' | 'language'>,
  findings: readonly StoredFinding[],
  origin: Origin,
): Promise<void> {
  const currencies = [...Map.groupBy(findings, ({ currencyCode }) => currencyCode)]
  for (const [currencyCode, own] of currencies)
    try {
      await requireSecondPerson(tx, caller, origin, describeAct(currencyCode, own))
    } catch (error) {
      if (!(error instanceof ApprovalNeeded) || currencies.length === 1) throw error
      const names = currencies.map(([code]) => code).join(' and ')
      throw new ApiError(
        'unprocessable',
        `A second person is needed, and the findings are in ${names}. Confirm those of one currency at a time.`,
      )
    }
}

/** A correction counts by how much it changes the debt, whichever way. */
const sum = (findings: readonly StoredFinding[]) =>
  findings.reduce((all, { amount }) => all + BigInt(Math.abs(amount)), 0n)

function describeAct(currencyCode: string, findings: readonly StoredFinding[]): Act {
  const cases = [...Map.groupBy(findings, ({ caseGuid }) => caseGuid)]
  return {
    act: 'LAW_CORRECTION',
    value: { amount: sum(findings), currencyCode },
    shares: cases.map(([caseGuid, own]) => ({ caseGuid, amount: sum(own) })),
    // Other findings may be open when the request is approved, or seen by who approves it.
    pinned: { lawFindingGuids: findings.map(({ guid }) => guid) },
  }
}

/** What a second person approves is done as a whole. Throws a 409. */
export function requireCorrectable(outcomes: LawConfirmation['findings'], { approved }: ActOrigin): void {
  if (approved === undefined) return
  const refused = outcomes.find(({ outcome }) => outcome === 'REFUSED')
  if (refused === undefined) return
  throw new ApiError(
    'conflict',
    `The finding of case ${refused.caseNumber} can no longer be corrected (${refused.obstacle}). Reject the request, and request the others anew.`,
  )
}
