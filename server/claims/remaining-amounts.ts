/**
 * SQL for the remaining amounts of a case `c`, in minor units, and for whether it is open. Lists, dashboard
 * and reports share it so that their figures agree.
 */
export const owedPrincipal = 'c.remaining_principal'
/** Includes interest accrued since the last posting, up to the business date. */
export const owedInterest = '(c.remaining_interest + c.accrued_interest)'
export const owedFee = 'c.remaining_fee'
export const owed = `(${owedPrincipal} + ${owedInterest} + ${owedFee})`
/** The same of a case `m`, beside the case `c`. */
export const owedBeside = owed.replaceAll('c.', 'm.')

/** A closed case has a closure code, a closure date and the status CLOSED. An open case has none of them. */
export const isOpen = 'c.closure_code is null'
