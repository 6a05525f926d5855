/** Composes the content of a letter in the recipient's language. Pure. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import { locales, type Language } from '../../../contract/platform/languages.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { texts } from '../../../core/text/texts.ts'
import { composeAnswer, type LetterAnswer } from './answer-letter.ts'
import { specifyCosts, type LetterCost } from './letter-costs.ts'
import type { LetterData } from './letter-data.ts'
import { formatAmount, formatDay, listFormat } from './letter-formats.ts'
import { composePlan, planPayment, type LetterPlan } from './plan-letter.ts'

/** An open case that the debtor owes. Amounts in minor units. */
export interface LetterCase {
  caseNumber: string
  clientName: string
  clientReferenceNumber: string | null
  currencyCode: string
  principal: number
  interest: number
  fee: number
  /** What the debtor disputes of it, which is left out. Zero when left out. */
  disputed?: bigint
  /** The costs as they were charged, by kind. */
  costs?: readonly LetterCost[]
}

export interface LetterFacts {
  kind: TemplateKind
  language: Language
  sender: string
  /** Name and address, one element per line. */
  recipient: string[]
  idNumber: string | null
  /** The date of the amounts, YYYY-MM-DD. */
  date: string
  /** YYYY-MM-DD. Null for a letter without a deadline. */
  dueDate: string | null
  paymentReference: string
  bankAccountNo: string | null
  cases: LetterCase[]
  /** True if the letter demands several claims together, with one fee. */
  isTogether?: boolean
  /** The plan that the letter is about. */
  plan?: LetterPlan | undefined
  /** The published version of a template. Left out for the shipped text. */
  template?: string | undefined
}

type SheetFacts = Pick<
  LetterFacts,
  'language' | 'sender' | 'recipient' | 'idNumber' | 'date' | 'paymentReference'
>

/** What every letter has: sender, recipient, and the facts beside the address. */
function composeSheet({ language, ...facts }: SheetFacts) {
  const words = texts[language].letter
  return {
    lang: language === 'no' ? 'nb' : language,
    sender: facts.sender,
    recipient: facts.recipient,
    facts: [
      [words.date, formatDay(language, facts.date)],
      [words.paymentReference, facts.paymentReference],
      // The last four characters are masked, because others may open the letter.
      ...(facts.idNumber === null ? [] : [[words.idNumber, maskNumber(facts.idNumber)] as [string, string]]),
    ] as [string, string][],
    labels: { page: words.page, payment: words.payment, regards: words.regards, costs: words.costs },
  }
}

/** The answer to an objection, a complaint or hardship: no amounts, and nothing to pay. */
export function composeAnswerLetter(facts: SheetFacts, answer: LetterAnswer): LetterData {
  const { title, paragraphs, footer } = composeAnswer(answer, facts.language)
  const nothing = { after: [], columns: [], cases: [], totals: [], costs: [], payment: [] }
  return { ...composeSheet(facts), ...nothing, title, before: paragraphs, footer }
}

const columns = ['case', 'creditor', 'principal', 'interest', 'costs', 'toPay'] as const

export function composeLetter(given: LetterFacts): LetterData {
  const facts = leaveOutDisputed(given)
  const { kind, language } = facts
  const words = texts[language].letter
  const clients = [...new Set(facts.cases.map(({ clientName }) => clientName))]
  const values = {
    date: formatDay(language, facts.date),
    due: facts.dueDate === null ? '' : formatDay(language, facts.dueDate),
    client: listFormat(locales[language]).format(clients),
  }
  const paragraphs = (text: string) => fillPlaceholders(text, values).split('\n')
  const totals = sumTotals(facts.cases)
  const owes = totals.some(({ minor }) => minor > 0n)
  const opening = paragraphs(facts.plan?.active === 2 ? words.planProposal : words[`${kind}.before`])
  const ending = paragraphs(words[`${kind}.after`])
  const notices = [...(facts.isTogether && owes ? [words.together] : []), ...describeDisputed(facts)]
  return {
    ...composeSheet(facts),
    title: words[`${kind}.title`],
    before: owes ? opening : [words.nothing],
    after: [...notices, ...ending],
    columns: columns.map((column) => words[`column.${column}`]),
    cases: facts.cases.map((one) => ({
      number: one.caseNumber,
      client: one.clientName,
      reference: one.clientReferenceNumber ?? '',
      ...amountCells(one, language),
    })),
    totals: totals.map(({ currency, minor }) => ({
      label: words.total,
      amount: `${formatAmount(language, minor, currency)} ${currency}`,
    })),
    ...(facts.plan && { plan: composePlan(facts.plan, language) }),
    costs: listCosts(facts),
    payment: owes ? paymentFacts(facts, totals) : [],
    footer: fillPlaceholders(words.footer, values),
    // A letter that asks for nothing has the shipped text.
    ...(facts.template !== undefined &&
      owes && {
        template: {
          versionGuid: facts.template,
          values: { ...values, ...templateValues(facts, totals) },
          opening,
          ending,
          notices,
        },
      }),
  }
}

const templateValues = (facts: LetterFacts, totals: readonly Total[]) => ({
  total: writeTotals(facts.language, totals),
  cases: listFormat(locales[facts.language]).format(facts.cases.map(({ caseNumber }) => caseNumber)),
  reference: facts.paymentReference,
  account: facts.bankAccountNo ?? '',
})

const writeTotals = (language: Language, totals: readonly Total[]): string =>
  totals.map(({ currency, minor }) => `${formatAmount(language, minor, currency)} ${currency}`).join(', ')

/** A letter as an SMS: one text that says what to pay, to where and with which reference. */
export function toShortText({ template: _template, ...data }: LetterData): LetterData {
  const payment = data.payment.map(([name, value]) => `${name}: ${value}`).join('. ')
  const text = `${data.sender}. ${data.before.join(' ')} ${payment}`.trim()
  return { ...data, before: [text], after: [], cases: [], totals: [], costs: [], payment: [] }
}

/** What a letter says, without its layout. */
export const toPlainText = ({ before, cases, totals, plan, costs, payment, after }: LetterData): string =>
  [
    ...before,
    ...cases.map(({ number, client, sum }) => `${number} ${client} ${sum}`),
    ...totals.map(({ label, amount }) => `${label}: ${amount}`),
    ...(plan?.rows ?? []).map((row) => row.join(' ')),
    ...(costs ?? []).map(([name, amount]) => `${name}: ${amount}`),
    ...payment.map(([name, value]) => `${name}: ${value}`),
    ...after,
  ].join('\n')

/** A letter demands only what is not disputed: less principal first, then interest, then costs. */
const leaveOutDisputed = (facts: LetterFacts): LetterFacts => ({
  ...facts,
  cases: facts.cases.map((one) => {
    let left = Number(one.disputed ?? 0n)
    const lower = (amount: number) => {
      const part = Math.min(amount, left)
      left -= part
      return amount - part
    }
    return {
      ...one,
      principal: lower(one.principal),
      interest: lower(one.interest),
      fee: lower(one.fee),
    }
  }),
})

const listCosts = ({ language, cases }: LetterFacts): [string, string][] =>
  specifyCosts(
    cases.map((one) => ({ ...one, costs: one.costs ?? [] })),
    language,
    (one, minor) => {
      const { currencyCode } = cases.find(({ caseNumber }) => caseNumber === one.caseNumber)!
      return `${formatAmount(language, BigInt(minor), currencyCode)} ${currencyCode}`
    },
  )

function describeDisputed({ language, cases }: LetterFacts): string[] {
  const disputed = cases.reduce((sum, one) => sum + (one.disputed ?? 0n), 0n)
  const [first] = cases
  if (disputed === 0n || !first) return []
  const amount = `${formatAmount(language, disputed, first.currencyCode)} ${first.currencyCode}`
  return [fillPlaceholders(texts[language].letter.disputed, { amount })]
}

function amountCells({ principal, interest, fee, currencyCode }: LetterCase, language: Language) {
  const write = (minor: number) => formatAmount(language, BigInt(minor), currencyCode)
  return {
    principal: write(principal),
    interest: write(interest),
    fee: write(fee),
    sum: write(principal + interest + fee),
  }
}

interface Total {
  currency: string
  minor: bigint
}

function sumTotals(cases: readonly LetterCase[]): Total[] {
  const byCurrency = Map.groupBy(cases, ({ currencyCode }) => currencyCode)
  return [...byCurrency].map(([currency, own]) => ({
    currency,
    minor: own.reduce((sum, one) => sum + BigInt(one.principal + one.interest + one.fee), 0n),
  }))
}

function paymentFacts(facts: LetterFacts, totals: readonly Total[]): [string, string][] {
  const { language } = facts
  const words = texts[language].letter
  const next = facts.plan && planPayment(facts.plan, language)
  return [
    [words.amount, next?.amount ?? writeTotals(language, totals)],
    ...(facts.bankAccountNo === null ? [] : [[words.account, facts.bankAccountNo] as [string, string]]),
    [words.paymentReference, facts.paymentReference],
    ...(next ? [[words.due, next.due] as [string, string]] : []),
    ...(facts.dueDate === null ? [] : [[words.due, formatDay(language, facts.dueDate)] as [string, string]]),
  ]
}

const maskNumber = (number: string): string => number.replace(/\w{4}$/, '****')
