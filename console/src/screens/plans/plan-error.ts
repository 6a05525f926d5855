import type { PlanError } from '../../../../core/plans/plan-terms.ts'
import { formatMoney } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { toMajor } from './plan-terms.ts'

/** The most frequent errors in the user's words; the code for others. */
export function planErrorMessage(error: PlanError, currency: string): string {
  if (error.code === 'wrong-combination' && error.needs === 'both')
    return translateLabel('plan.error.wrong-combination-both', error.code)
  const least =
    'leastAmount' in error ? ` ${formatMoney(toMajor(error.leastAmount, currency), currency)}` : ''
  return translateLabel(`plan.error.${error.code}`, error.code) + least
}
