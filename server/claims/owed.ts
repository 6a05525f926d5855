/**
 * What remains of a case `c`, in minor units, and whether it is open: the one text for every statement that asks, so that
 * the lists, the dashboard and the reports cannot tell different figures.
 */
export const owedPrincipal = 'c.remaining_principal'
/** With what has accrued since interest was last posted, up to the business date. */
export const owedInterest = '(c.remaining_interest + c.accrued_interest)'
export const owedFee = 'c.remaining_fee'
export const owed = `(${owedPrincipal} + ${owedInterest} + ${owedFee})`

/** A closed case has a closure code, a closure date and the status CLOSED; an open one none of them. */
export const isOpen = 'c.closure_code is null'
