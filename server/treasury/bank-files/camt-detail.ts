/** Reads the details (TxDtls) of an entry in camt.053 and camt.054, and amounts. */
import { isCurrency } from '../../../core/identity/codes.ts'
import { decimalsOf, formatMinor, largestMinorOf } from '../../../core/money/money.ts'
import { BadPaymentFile, tidyText } from './bank-entry.ts'
import { childOf, childrenOf, textOf, type Element } from './camt-shape.ts'

type AmountElement = Pick<Element, 'text' | 'currency' | 'line'>

/** A payment within an entry. Only the needed values are kept, since an entry may have many payments. */
export interface Detail {
  direction: Direction | null
  amount: AmountElement | null
  references: string[]
  message: string | null
  /** True for a payment by the agency that was returned: its reference is someone else's. */
  returned: boolean
  bankReference: string | null
  transactionId: string | null
  endToEndId: string | null
  payerName: string | null
}

/** An error at the line of an element. */
export const at = (element: Pick<Element, 'line'>, message: string) =>
  new BadPaymentFile(`Line ${element.line}: ${message}.`)

export interface Money {
  currencyCode: string
  minor: bigint
}

/** An amount with its currency, in minor units. */
export function readAmountOf(element: AmountElement): Money {
  const match = /^(\d{1,18})(?:\.(\d{0,5}))?$/.exec(element.text.trim())
  if (!match) throw at(element, 'an amount is digits with at most five decimals after a point')
  const currencyCode = element.currency ?? ''
  if (!isCurrency(currencyCode))
    throw at(element, 'an amount must have a currency of ISO 4217 in the attribute Ccy')
  const decimals = decimalsOf(currencyCode)
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals)
    throw at(element, `an amount in ${currencyCode} has at most ${decimals} decimals`)
  const minor = BigInt(match[1]! + fraction.padEnd(decimals, '0'))
  const most = largestMinorOf(currencyCode)
  if (minor > most)
    throw at(element, `an amount in ${currencyCode} is at most ${formatMinor(most, currencyCode)}`)
  return { currencyCode, minor }
}

export type Direction = 'CRDT' | 'DBIT'

export function directionOf(element: Element): Direction | null {
  const found = childOf(element, 'CdtDbtInd')
  if (!found) return null
  const code = found.text.trim()
  if (code !== 'CRDT' && code !== 'DBIT') throw at(found, 'CdtDbtInd must be CRDT or DBIT')
  return code
}

/** Null when the detail has no amount. */
export const amountOf = ({ amount }: Detail): Money | null => amount && readAmountOf(amount)

export function detailOf(detail: Element): Detail {
  // Since version 03 the amount is a child of the detail; before, it is only in AmtDtls.
  const amount = childOf(detail, 'Amt') ?? childOf(detail, 'AmtDtls', 'TxAmt', 'Amt')
  const remittance = childOf(detail, 'RmtInf')
  const references = childrenOf(remittance, 'Strd').flatMap(
    (structured) => textOf(structured, 'CdtrRefInf', 'Ref') ?? [],
  )
  const free = childrenOf(remittance, 'Ustrd').map(({ text }) => text.trim())
  return {
    direction: directionOf(detail),
    amount: amount ? { text: amount.text, currency: amount.currency, line: amount.line } : null,
    references,
    message: tidyText(free.join(' '), 500),
    returned: childOf(detail, 'RtrInf') !== undefined,
    bankReference: textOf(detail, 'Refs', 'AcctSvcrRef'),
    transactionId: textOf(detail, 'Refs', 'TxId'),
    endToEndId: textOf(detail, 'Refs', 'EndToEndId'),
    payerName: payerOf(detail),
  }
}

/** Since version 08 the name is in Pty. */
function payerOf(detail: Element): string | null {
  const debtor = childOf(detail, 'RltdPties', 'Dbtr')
  const name = textOf(debtor, 'Nm') ?? textOf(debtor, 'Pty', 'Nm')
  return name === null ? null : tidyText(name, 140)
}
