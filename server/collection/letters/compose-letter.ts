/** Composes the content of a letter in the recipient's language. Pure. */
import type { LetterKind } from '../../../contract/collection/documents.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { fillIn } from '../../../core/text/fill-in.ts'
import { formatMinor } from '../../../core/money/money.ts'
import type { LetterData } from './letter-data.ts'
import { letterWords } from './letter-texts.ts'
import type { LetterWords } from './letter-texts/letter-words.ts'

/** An open case that the debtor owes. Amounts in minor units. */
export interface LetterCase {
  caseNumber: string
  clientName: string
  clientReferenceNumber: string | null
  currencyCode: string
  principal: number
  interest: number
  fee: number
}

export interface LetterFacts {
  kind: LetterKind
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
}

export function composeLetter(facts: LetterFacts): LetterData {
  const words = letterWords[facts.language]
  const text = words.kinds[facts.kind]
  const clients = [...new Set(facts.cases.map(({ clientName }) => clientName))]
  const values = {
    date: dayIn(words, facts.date),
    due: facts.dueDate === null ? '' : dayIn(words, facts.dueDate),
    client: listFormat(words.locale).format(clients),
  }
  const fill = (line: string) => fillIn(line, values)
  const totals = totalsOf(facts.cases)
  const owes = totals.some(({ minor }) => minor > 0n)
  return {
    lang: facts.language === 'no' ? 'nb' : facts.language,
    title: text.title,
    sender: facts.sender,
    recipient: facts.recipient,
    facts: [
      [words.date, dayIn(words, facts.date)],
      [words.paymentReference, facts.paymentReference],
      // The last four characters are masked, because others may open the letter.
      ...(facts.idNumber === null ? [] : [[words.idNumber, maskNumber(facts.idNumber)] as [string, string]]),
    ],
    before: owes ? text.before.map(fill) : [words.nothing],
    after: text.after.map(fill),
    columns: [...words.columns],
    cases: facts.cases.map((one) => ({
      number: one.caseNumber,
      client: one.clientName,
      reference: one.clientReferenceNumber ?? '',
      ...amountsOf(one, words),
    })),
    totals: totals.map(({ currency, minor }) => ({
      label: words.total,
      amount: `${amountIn(words, minor, currency)} ${currency}`,
    })),
    payment: owes ? paymentOf(facts, words, totals) : [],
    labels: { page: words.page, payment: words.payment, regards: words.regards },
    footer: fill(words.footer),
  }
}

function amountsOf({ principal, interest, fee, currencyCode }: LetterCase, words: LetterWords) {
  const write = (minor: number) => amountIn(words, BigInt(minor), currencyCode)
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

function totalsOf(cases: readonly LetterCase[]): Total[] {
  const byCurrency = Map.groupBy(cases, ({ currencyCode }) => currencyCode)
  return [...byCurrency].map(([currency, own]) => ({
    currency,
    minor: own.reduce((sum, one) => sum + BigInt(one.principal + one.interest + one.fee), 0n),
  }))
}

function paymentOf(facts: LetterFacts, words: LetterWords, totals: readonly Total[]): [string, string][] {
  const amounts = totals.map(({ currency, minor }) => `${amountIn(words, minor, currency)} ${currency}`)
  return [
    [words.amount, amounts.join(', ')],
    ...(facts.bankAccountNo === null ? [] : [[words.account, facts.bankAccountNo] as [string, string]]),
    [words.paymentReference, facts.paymentReference],
    ...(facts.dueDate === null ? [] : [[words.due, dayIn(words, facts.dueDate)] as [string, string]]),
  ]
}

/** Caches Intl formats by locale: creating one is slower than everything else in a letter. */
function rememberFormats<F>(make: (locale: string, decimals: number) => F) {
  const known = new Map<string, F>()
  return (locale: string, decimals = 0): F => {
    const key = `${locale} ${decimals}`
    const found = known.get(key) ?? make(locale, decimals)
    known.set(key, found)
    return found
  }
}
const dayFormat = rememberFormats(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
)
const amountFormat = rememberFormats(
  (locale, decimals) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
)
const listFormat = rememberFormats((locale) => new Intl.ListFormat(locale))

const dayIn = ({ locale }: LetterWords, day: string): string =>
  dayFormat(locale).format(new Date(`${day}T00:00:00Z`))

/** Formats an amount exactly: decimal text is grouped and its point replaced, without floating point. */
function amountIn({ locale }: LetterWords, minor: bigint, currency: string): string {
  const text = formatMinor(minor, currency)
  const decimals = text.split('.')[1]?.length ?? 0
  return amountFormat(locale, decimals).format(text as `${number}`)
}

const maskNumber = (number: string): string => number.replace(/\w{4}$/, '****')
