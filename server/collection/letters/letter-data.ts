/** Input of the letter template: texts, with amounts and dates already formatted. */
export interface LetterData {
  lang: string
  title: string
  sender: string
  recipient: string[]
  /** Names and values shown to the right of the address. */
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
  /** The schedule of a payment plan: names of columns, rows, and the sums below them. */
  plan?: { title: string; columns: string[]; rows: string[][]; totals: string[]; facts: [string, string][] }
  /** Each kind of cost and its amount. Letters stored before have none. */
  costs?: [string, string][]
  /** Names and values needed for a payment. Empty when nothing is owed. */
  payment: [string, string][]
  labels: { page: string; payment: string; regards: string; costs?: string }
  /** What it demands of each open case, in minor units. Not printed. Letters stored before have none. */
  demanded?: { caseGuid: string; minor: number }[]
  /** The plan that it is about. Not printed. */
  planGuid?: string | null
  /** A digest of the plan's payments as the letter has them. Not printed. Letters stored before have none. */
  planDigest?: string
  footer: string
  /** The template of an administrator with which it is written. Letters with the shipped text have none. */
  template?: LetterTemplateData
}

/** What a template can name, besides the parts of every letter. */
export interface LetterTemplateData {
  /** The published version. Empty for a sample. */
  versionGuid: string
  values: Record<'client' | 'date' | 'due' | 'total' | 'cases' | 'reference' | 'account', string>
  /** Paragraphs of the shipped text before and after the amounts. */
  opening: string[]
  ending: string[]
  /** Sentences that the service adds: about claims demanded together, and about what is disputed. */
  notices: string[]
}
