import type { LetterKind } from '../../../../contract/collection/documents.ts'

export interface LetterText {
  title: string
  before: string[]
  after: string[]
}

/** The letter texts in one language. Placeholders: `{date}`, `{client}` and `{due}`. */
export interface LetterWords {
  /** Locale for numbers and dates. */
  locale: string
  date: string
  reference: string
  caseNumber: string
  idNumber: string
  columns: [number: string, client: string, principal: string, interest: string, fee: string, sum: string]
  total: string
  nothing: string
  payment: string
  amount: string
  account: string
  paymentReference: string
  due: string
  page: string
  regards: string
  footer: string
  kinds: Record<LetterKind, LetterText>
}
