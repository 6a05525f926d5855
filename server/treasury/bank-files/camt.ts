/**
 * Reads camt.053 and camt.054, a bank's statements and notifications (ISO 20022; camt-schema.ts names the
 * source).
 *
 * An entry (Ntry) with details (TxDtls) is one payment per detail; their amounts must sum to the entry's.
 * Booked credits are payments; all other entries are reported as not booked. The totals of `TxsSummry`, and a
 * statement's opening and closing balances, must match the entries.
 */
import {
  BadPaymentFile,
  makeDay,
  referenceWords,
  sumParts,
  tidyText,
  type BankEntry,
  type EntryReader,
  type FileHead,
  type NotBookedReason,
} from './bank-entry.ts'
import {
  detailAmount,
  errorAt,
  readDetail,
  readDirection,
  parseAmount,
  type Detail,
  type Direction,
  type Money,
} from './camt-detail.ts'
import { ElementReader, type CamtLimits } from './camt-elements.ts'
import { findChild, namespacePattern, readText, type Element } from './camt-schema.ts'
import { checkStatement, emptySums, type StatementSums } from './camt-totals.ts'

const detailsMax = 200_000
const entryMax = 128 * 1_048_576

export function readCamt(limits: CamtLimits = { entryMax }): EntryReader {
  const file = new CamtFile()
  const reader = new ElementReader(file, limits)
  return {
    write: (text) => {
      reader.write(text)
      return file.take()
    },
    end: () => {
      reader.end()
      return { entries: file.take(), head: file.head() }
    },
  }
}

class CamtFile {
  #format: FileHead['format'] = 'CAMT054'
  #messageId: string | null = null
  #ready: BankEntry[] = []
  #details: Detail[] = []
  #account: string | null = null
  #sums: StatementSums = emptySums()
  #statements = 0

  take(): BankEntry[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  head(): FileHead {
    if (this.#statements === 0)
      throw new BadPaymentFile('The file has no statement (Stmt) and no notification (Ntfctn).')
    return { format: this.#format, messageId: this.#messageId }
  }

  opened(namespace: string): void {
    this.#format = namespacePattern.exec(namespace)![1] === '3' ? 'CAMT053' : 'CAMT054'
  }

  closed(element: Element, parent: Element | undefined): void {
    const isTop = parent?.name === 'Stmt' || parent?.name === 'Ntfctn'
    if (element.name === 'GrpHdr') this.#messageId = tidyText(readText(element, 'MsgId')!, 35)
    else if (isTop && element.name === 'Acct') this.#account = readAccount(element)
    else if (element.name === 'TxDtls' && parent?.name === 'NtryDtls') {
      parent.children.pop()
      this.#details.push(readDetail(element))
      if (this.#details.length > detailsMax)
        throw errorAt(element, `an entry has more than ${detailsMax} details. Ask the bank for smaller files`)
    } else if (isTop && element.name === 'Ntry') {
      parent.children.pop()
      // Later checks only need to know that there was an entry, so its contents are dropped.
      for (const entry of this.#entries(element)) this.#ready.push(entry)
    } else if (element.name === 'Stmt' || element.name === 'Ntfctn') {
      checkStatement(element, this.#sums)
      this.#statements++
      this.#sums = emptySums()
      this.#account = null
      parent?.children.pop()
    }
  }

  #entries(entry: Element): BankEntry[] {
    const details = this.#details
    this.#details = []
    const account = this.#account
    if (account === null) throw errorAt(entry, 'the account (Acct) must come before its entries')
    const whole = parseAmount(findChild(entry, 'Amt')!)
    const direction = readDirection(entry)!
    const status = readText(entry, 'Sts', 'Cd') ?? readText(entry, 'Sts')
    this.#sums.add(direction, whole, status === 'BOOK')
    const context = { entry, account, status, direction }
    const parts = splitEntry(entry, details, whole)
    return parts.map(({ detail, money }) => toPayment(context, detail, money))
  }
}

function readAccount(account: Element): string {
  const id = readText(account, 'Id', 'IBAN') ?? readText(account, 'Id', 'Othr', 'Id')
  if (id === null)
    throw errorAt(account, 'the account has neither an IBAN nor another identification (Othr/Id)')
  return id.replaceAll(/\s/g, '').slice(0, 34)
}

/** The details with their amounts. Without details, or without amounts in them, the entry as a whole. */
function splitEntry(
  entry: Element,
  details: readonly Detail[],
  whole: Money,
): { detail: Detail | null; money: Money }[] {
  const [first] = details
  if (!first) return [{ detail: null, money: whole }]
  if (details.length === 1) {
    // The only detail of a batch: the amount of the batch is not the amount of this payment.
    const isPart = batchSize(entry) > 1 && detailAmount(first)?.minor !== whole.minor
    return [{ detail: isPart ? null : first, money: whole }]
  }
  const parts = details.map((detail) => ({ detail, money: detailAmount(detail) }))
  if (parts.some(({ money }) => money === null || money.currencyCode !== whole.currencyCode))
    return [{ detail: null, money: whole }]
  const known = parts as { detail: Detail; money: Money }[]
  const direction = readDirection(entry)
  const sum = known.reduce(
    (all, { detail, money }) =>
      all + ((detail.direction ?? direction) === direction ? money.minor : -money.minor),
    0n,
  )
  if (sum !== whole.minor)
    throw errorAt(entry, 'the amount of the entry is not the sum of its details (TxDtls)')
  return known
}

/** The number of payments in the entry, as the bank states it. */
const batchSize = (entry: Element): number => Number(readText(entry, 'NtryDtls', 'Btch', 'NbOfTxs') ?? 1)

interface EntryContext {
  entry: Element
  account: string
  status: string | null
  direction: Direction
}

function toPayment(
  { entry, account, status, direction }: EntryContext,
  detail: Detail | null,
  money: Money,
): BankEntry {
  const { references = [], message = null, returned = false } = detail ?? {}
  const notBooked = findNotBookedReason({
    entry,
    detail,
    status,
    direction: detail?.direction ?? direction,
    money,
  })
  const own = detail?.direction ?? direction
  const bookingDate = readDate(findChild(entry, 'BookgDt'))
  const valueDate = readDate(findChild(entry, 'ValDt'))
  const bankReference = findBankReference(entry, detail)
  const known =
    bankReference === null
      ? [bookingDate, valueDate, references.join(' '), message, detail?.endToEndId]
      : [bankReference]
  return {
    identity: ['camt', account, money.currencyCode, money.minor, own, ...known].join('|'),
    account,
    currencyCode: money.currencyCode,
    amount: money.minor,
    bookingDate,
    valueDate,
    references: returned ? [] : [...new Set(references)],
    parts: returned || notBooked !== null ? [] : readParts(detail, money),
    words: returned || message === null ? [] : referenceWords(message),
    payerName: detail?.payerName ?? null,
    message,
    notBooked,
    endToEndId: findKnown(detail?.endToEndId),
    originals:
      notBooked === 'REVERSAL' && own === 'DBIT' ? findOriginals({ entry, account }, detail, money) : [],
  }
}

/** The parts in the currency of the payment. */
function readParts(detail: Detail | null, money: Money) {
  const given = (detail?.parts ?? []).map(({ reference, amount, isCredit }) => {
    const read = amount && parseAmount(amount)
    const minor = read?.currencyCode === money.currencyCode ? read.minor : null
    return { reference, amount: minor !== null && isCredit ? -minor : minor }
  })
  return sumParts(given, money.minor)
}

const findKnown = (text: string | null | undefined): string | null =>
  text != null && !noReference.test(text) ? text.slice(0, 35) : null

/** The identities of the credit that a return takes back: it repeats the bank's references of that credit. */
function findOriginals(
  { entry, account }: { entry: Element; account: string },
  detail: Detail | null,
  money: Money,
): string[] {
  const named = [detail?.bankReference, detail?.transactionId, readText(entry, 'AcctSvcrRef')]
  const known = named.flatMap((one) => (one != null && !noReference.test(one) ? [one] : []))
  return [...new Set(known)].map((one) =>
    ['camt', account, money.currencyCode, money.minor, 'CRDT', one].join('|'),
  )
}

/** The bank's reference of the payment, else of the entry. Placeholders for “no reference” do not count. */
const findBankReference = (entry: Element, detail: Detail | null): string | null =>
  [detail?.bankReference, readText(entry, 'AcctSvcrRef'), detail?.transactionId].find(
    (one) => one != null && !noReference.test(one),
  ) ?? null

/**
 * Placeholders that banks write for a missing reference, and texts without a letter or a digit above zero.
 */
const noReference =
  /^(not[ _-]?(provided|available|applicable)|non[ _-]?ref(erence)?|no[ _-]?ref(erence)?|none|null|n\/?a|[^a-z1-9]*)$/i

function findNotBookedReason(one: {
  entry: Element
  detail: Detail | null
  status: string | null
  direction: Direction
  money: Money
}): NotBookedReason | null {
  if (one.status !== 'BOOK') return 'PENDING'
  if (readText(one.entry, 'RvslInd') === 'true' || readText(one.entry, 'RvslInd') === '1') return 'REVERSAL'
  if (one.direction === 'DBIT') return 'DEBIT'
  if (one.detail === null && batchSize(one.entry) > 1) return 'BATCH_WITHOUT_DETAILS'
  return one.money.minor === 0n ? 'ZERO' : null
}

/** A date, or the date part of a date-time, without conversion of the time zone. */
function readDate(element: Element | undefined): string | null {
  if (!element) return null
  const text = readText(element, 'Dt') ?? readText(element, 'DtTm')
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text ?? '') ?? []
  const found = day === undefined ? undefined : makeDay(year!, month!, day)
  if (found === undefined) throw errorAt(element, `${element.name} must be a date (Dt) or a date-time (DtTm)`)
  return found
}
