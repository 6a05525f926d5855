/** Compares the totals and balances of a statement or notification with its entries. */
import { BadPaymentFile } from './bank-entry.ts'
import { findChild, findChildren, readText, type Element } from './camt-schema.ts'
import { countDecimals } from '../../../core/money/money.ts'

/** Decimal text in units of 0.00001, the finest that ISO 20022 allows. Null for invalid text. */
function exact(text: string): bigint | null {
  const match = /^(-?)(\d{1,18})(?:\.(\d{0,17}))?$/.exec(text.trim())
  if (!match || /[1-9]/.test((match[3] ?? '').slice(5))) return null
  const value = BigInt(match[2]! + (match[3] ?? '').slice(0, 5).padEnd(5, '0'))
  return match[1] ? -value : value
}

interface Side {
  count: number
  sum: bigint
}

export interface StatementSums {
  add(direction: 'CRDT' | 'DBIT', money: { currencyCode: string; minor: bigint }, booked: boolean): void
  credits: Side
  debits: Side
  /** Booked credits minus booked debits. */
  net: bigint
}

export function emptySums(): StatementSums {
  const sums: StatementSums = {
    credits: { count: 0, sum: 0n },
    debits: { count: 0, sum: 0n },
    net: 0n,
    add: (direction, { currencyCode, minor }, booked) => {
      const side = direction === 'CRDT' ? sums.credits : sums.debits
      const value = minor * 10n ** BigInt(5 - countDecimals(currencyCode))
      side.count++
      side.sum += value
      if (booked) sums.net += direction === 'CRDT' ? value : -value
    },
  }
  return sums
}

/** Throws when a total or balance does not match the entries. */
export function checkStatement(statement: Element, sums: StatementSums): void {
  const summary = findChild(statement, 'TxsSummry')
  const { credits, debits } = sums
  const all = { count: credits.count + debits.count, sum: credits.sum + debits.sum }
  checkSide(findChild(summary, 'TtlNtries'), all)
  checkSide(findChild(summary, 'TtlCdtNtries'), credits)
  checkSide(findChild(summary, 'TtlDbtNtries'), debits)
  checkBalances(statement, sums.net)
}

function checkSide(total: Element | undefined, { count, sum }: Side): void {
  if (!total) return
  const told = readText(total, 'NbOfNtries')
  if (told !== null && Number(told) !== count)
    throw statementError(total, `${total.name} counts other entries than the file has`)
  const amount = readText(total, 'Sum')
  if (amount !== null && exact(amount) !== sum)
    throw statementError(total, `the sum of ${total.name} is not that of the entries`)
}

/** Checks that the booked entries lead from the opening balance (OPBD) to the closing balance (CLBD). */
function checkBalances(statement: Element, net: bigint): void {
  const balances = findChildren(statement, 'Bal')
  const findBalance = (code: string) => {
    const found = balances.filter((one) => readText(one, 'Tp', 'CdOrPrtry', 'Cd') === code)
    if (found.length !== 1) return null
    const value = exact(readText(found[0], 'Amt') ?? '')
    if (value === null) throw statementError(found[0]!, 'a balance must have an amount in digits')
    return readText(found[0], 'CdtDbtInd') === 'DBIT' ? -value : value
  }
  const [opening, closing] = [findBalance('OPBD'), findBalance('CLBD')]
  if (opening !== null && closing !== null && opening + net !== closing)
    throw statementError(
      statement,
      'the booked entries do not lead from the opening balance (OPBD) to the closing one (CLBD)',
    )
}

const statementError = (element: Element, message: string) => new BadPaymentFile(message, element.line)
