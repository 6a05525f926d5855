export interface CaseSearch {
  /** Opens the dialog of a payment with this amount. */
  pay?: number
}

export const readCaseSearch = ({ pay }: Record<string, unknown>): CaseSearch =>
  typeof pay === 'number' && pay > 0 ? { pay } : {}
