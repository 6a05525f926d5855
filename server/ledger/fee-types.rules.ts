/** Which fee types exist, and what is said of one that does not. docs/domain/fees.md has the rules. Pure. */
import { feeTypes } from '../../core/ledger/statutory-fees.ts'
import { findNearest } from '../../core/text/nearest.ts'
import type { FieldErrors } from '../platform/http/errors.ts'

const shipped: ReadonlySet<string> = new Set(feeTypes)
const usual = ['reminder', 'collectionDemand', 'collectionFee']
const ownExamplesMax = 5

export const isShippedFeeType = (type: string): boolean => shipped.has(type)

/** A fee type as it is spelt where it is known. Undefined for an unknown one. */
export const findFeeType = (given: string, known: readonly string[]): string | undefined =>
  known.find((one) => one.toLowerCase() === given.toLowerCase())

/** The fee type as it is spelt where it is known. Null without one, and for an unknown one, which is an error. */
export function readFeeType(
  given: string | null | undefined,
  known: readonly string[],
  checks: FieldErrors,
): string | null {
  const wanted = given?.trim()
  if (!wanted) return null
  const found = findFeeType(wanted, known)
  if (found === undefined) checks.add('feeType', explainUnknownFeeType(wanted, known))
  return found ?? null
}

/** The value itself is not repeated: in a wrongly matched column of an import it could be of a person. */
export function explainUnknownFeeType(wanted: string, known: readonly string[]): string {
  const expected = 'must be a fee type of the lookup feetype or of the client'
  const nearest = findNearest(wanted, known)
  if (nearest !== null) return `${expected}. Did you mean ${nearest}?`
  const own = known.filter((type) => !isShippedFeeType(type)).slice(0, ownExamplesMax)
  return `${expected}, such as ${[...usual, ...own].join(', ')}.`
}
