/** Reads the details (TxDtls) of an entry in camt.053 and camt.054, and amounts. */
import { isCurrency } from '../../../core/identity/codes.ts'
import { countDecimals, formatMinor, findLargestMinor } from '../../../core/money/money.ts'
import { BadPaymentFile, tidyText } from './bank-entry.ts'
import { findChild, findChildren, readText, type Element } from './camt-schema.ts'

type AmountElement = Pick<Element, 'text' | 'currency' | 'line'>

/** A payment within an entry. Only the needed values are kept, since an entry may have many payments. */
export interface Detail {
  direction: Direction | null
  amount: AmountElement | null
  references: string[]
  /** The references with the amounts that are paid for them. */
  parts: { reference: string; amount: AmountElement | null; isCredit: boolean }[]
  message: string | null
  /** True for a payment by the agency that was returned: its reference is someone else's. */
  returned: boolean
  bankReference: string | null
  transactionId: string | null
  endToEndId: string | null
  payerName: string | null
}

/** An error at the line of an element. */
export const errorAt = (element: Pick<Element, 'line'>, message: string) =>
  new BadPaymentFile(message, element.line)

export interface Money {
  currencyCode: string
  minor: bigint
}

/** An amount with its currency, in minor units. */
export function parseAmount(element: AmountElement): Money {
  const match = /^(\d{1,18})(?:\.(\d{0,5}))?$/.exec(element.text.trim())
  if (!match) throw errorAt(element, 'an amount is digits with at most five decimals after a point')
  const currencyCode = element.currency ?? ''
  if (!isCurrency(currencyCode))
    throw errorAt(element, 'an amount must have a currency of ISO 4217 in the attribute Ccy')
  const decimals = countDecimals(currencyCode)
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals)
    throw errorAt(element, `an amount in ${currencyCode} has at most ${decimals} decimals`)
  const minor = BigInt(match[1]! + fraction.padEnd(decimals, '0'))
  const most = findLargestMinor(currencyCode)
  if (minor > most)
    throw errorAt(element, `an amount in ${currencyCode} is at most ${formatMinor(most, currencyCode)}`)
  return { currencyCode, minor }
}

export type Direction = 'CRDT' | 'DBIT'

export function readDirection(element: Element): Direction | null {
  const found = findChild(element, 'CdtDbtInd')
  if (!found) return null
  const code = found.text.trim()
  if (code !== 'CRDT' && code !== 'DBIT') throw errorAt(found, 'CdtDbtInd must be CRDT or DBIT')
  return code
}

/** Null when the detail has no amount. */
export const detailAmount = ({ amount }: Detail): Money | null => amount && parseAmount(amount)

export function readDetail(detail: Element): Detail {
  // Since version 03 the amount is a child of the detail; before, it is only in AmtDtls.
  const amount = findChild(detail, 'Amt') ?? findChild(detail, 'AmtDtls', 'TxAmt', 'Amt')
  const remittance = findChild(detail, 'RmtInf')
  const parts = findChildren(remittance, 'Strd').flatMap(readPart)
  const references = parts.map(({ reference }) => reference)
  const free = findChildren(remittance, 'Ustrd').map(({ text }) => text.trim())
  return {
    direction: readDirection(detail),
    amount: amount ? { text: amount.text, currency: amount.currency, line: amount.line } : null,
    references,
    parts,
    message: tidyText(free.join(' '), 500),
    returned: findChild(detail, 'RtrInf') !== undefined,
    bankReference: readText(detail, 'Refs', 'AcctSvcrRef'),
    transactionId: readText(detail, 'Refs', 'TxId'),
    endToEndId: readText(detail, 'Refs', 'EndToEndId'),
    payerName: readPayer(detail),
  }
}

/** A reference with its amount: what is remitted, or what a credit note takes off. */
function readPart(structured: Element): Detail['parts'] {
  // Without the blanks with which it is printed.
  const reference = readText(structured, 'CdtrRefInf', 'Ref')?.replaceAll(/\s/g, '').slice(0, 35)
  if (reference === undefined) return []
  const amounts = findChild(structured, 'RfrdDocAmt')
  const credit = findChild(amounts, 'CdtNoteAmt')
  const amount = findChild(amounts, 'RmtdAmt') ?? credit
  const taken = amount ? { text: amount.text, currency: amount.currency, line: amount.line } : null
  return [{ reference, amount: taken, isCredit: amount !== undefined && amount === credit }]
}

/** Since version 08 the name is in Pty. */
function readPayer(detail: Element): string | null {
  const debtor = findChild(detail, 'RltdPties', 'Dbtr')
  const name = readText(debtor, 'Nm') ?? readText(debtor, 'Pty', 'Nm')
  return name === null ? null : tidyText(name, 140)
}
