/** Words that the law packs share with interest, fees and limitation. */

/** The kinds of debtors that laws on interest and fees distinguish. */
export type DebtorKind = 'consumer' | 'business'

/** The debtors that a fee or a rule applies to. */
export type FeeDebtor = DebtorKind | 'all'

/** Events that can interrupt the limitation period. */
export const interruptions = ['ACKNOWLEDGEMENT', 'PAYMENT', 'DEMAND', 'CLAIM_FILED', 'TITLE'] as const
export type Interruption = (typeof interruptions)[number]

/** AGREED: the due date was fixed in advance, by agreement, statute or judgment. INVOICE: it stands on the invoice alone. */
export const dueDateBases = ['AGREED', 'INVOICE'] as const
export type DueDateBasis = (typeof dueDateBases)[number]

/**
 * CONSUMER: goods or services of a trader for private use by a natural person. CONSUMER_CREDIT: a loan for
 * such use. GENERAL: all other claims, including those on a negotiable instrument.
 */
export const claimKinds = ['GENERAL', 'CONSUMER', 'CONSUMER_CREDIT'] as const
export type ClaimKind = (typeof claimKinds)[number]
