/** What the template of a letter gets: texts and amounts as they are to be read. */
export interface LetterData {
  lang: string
  title: string
  sender: string
  recipient: string[]
  /** Name and value, at the right of the address. */
  facts: [string, string][]
  /** Paragraphs before and after the amounts. */
  before: string[]
  after: string[]
  columns: string[]
  cases: {
    number: string
    client: string
    reference: string
    principal: string
    interest: string
    fee: string
    sum: string
  }[]
  totals: { label: string; amount: string }[]
  /** Name and value of what a payment needs; none where there is nothing to pay. */
  payment: [string, string][]
  labels: { page: string; payment: string; regards: string }
  footer: string
}
