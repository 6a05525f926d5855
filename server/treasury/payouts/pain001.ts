/**
 * Writes credit transfers for the bank as pain.001.
 *
 * Source: ISO 20022 message definition CustomerCreditTransferInitiationV09 (pain.001.001.09): GroupHeader85,
 * PaymentInstruction30, CreditTransferTransaction34. Elements are in schema order.
 */
import {
  readBankgiro,
  isIban,
  formatNationalAccount,
  normaliseAccount,
} from '../../../core/identity/bank-account.ts'
import { formatMinor } from '../../../core/money/money.ts'

export interface CreditTransfer {
  /** At most 35 characters. The bank returns it on the statement. */
  endToEndId: string
  /** Minor units. */
  amount: bigint
  creditorName: string
  account: string
  message: string
}

export interface TransferFile {
  /** At most 35 characters. */
  messageId: string
  /** Date-time with offset. */
  createdAt: string
  /** YYYY-MM-DD */
  executionDate: string
  currencyCode: string
  debtorName: string
  account: string
  transfers: readonly CreditTransfer[]
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign]!)
/** Removes characters that XML forbids and cuts the text to `most` characters. */
const fitText = (text: string, most: number) =>
  [...text.replaceAll(/[\p{Cc}\ufffe\uffff]+/gu, ' ').trim()].slice(0, most).join('').trim()

/** An element with text; `node` below makes an element with child elements. */
const textElement = (name: string, text: string, attribute = '') =>
  `<${name}${attribute}>${escape(text)}</${name}>`
const parentElement = (name: string, ...children: string[]) => `<${name}>${children.join('')}</${name}>`

/** The whole file. Throws a RangeError without transfers, or for an amount that is not above zero. */
export function writePain001(file: TransferFile): string {
  const { currencyCode, transfers } = file
  if (transfers.length === 0 || transfers.some(({ amount }) => amount <= 0n))
    throw new RangeError('A payment file has transfers, each of an amount above zero.')
  const sum = formatMinor(
    transfers.reduce((all, { amount }) => all + amount, 0n),
    currencyCode,
  )
  const totals = [textElement('NbOfTxs', String(transfers.length)), textElement('CtrlSum', sum)]
  const header = parentElement(
    'GrpHdr',
    textElement('MsgId', file.messageId),
    textElement('CreDtTm', file.createdAt),
    ...totals,
    parentElement('InitgPty', textElement('Nm', fitText(file.debtorName, 140))),
  )
  const instruction = parentElement(
    'PmtInf',
    textElement('PmtInfId', file.messageId),
    textElement('PmtMtd', 'TRF'),
    textElement('BtchBookg', 'true'),
    ...totals,
    parentElement('ReqdExctnDt', textElement('Dt', file.executionDate)),
    parentElement('Dbtr', textElement('Nm', fitText(file.debtorName, 140))),
    parentElement('DbtrAcct', accountElement(file.account), textElement('Ccy', currencyCode)),
    parentElement(
      'DbtrAgt',
      parentElement('FinInstnId', parentElement('Othr', textElement('Id', 'NOTPROVIDED'))),
    ),
    textElement('ChrgBr', currencyCode === 'EUR' ? 'SLEV' : 'SHAR'),
    ...transfers.map((transfer) => transferElement(transfer, currencyCode)),
  )
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${parentElement('CstmrCdtTrfInitn', header, instruction)}</Document>\n`
}

const transferElement = (
  { endToEndId, amount, creditorName, account, message }: CreditTransfer,
  currency: string,
) =>
  parentElement(
    'CdtTrfTxInf',
    parentElement('PmtId', textElement('InstrId', endToEndId), textElement('EndToEndId', endToEndId)),
    parentElement('Amt', textElement('InstdAmt', formatMinor(amount, currency), ` Ccy="${currency}"`)),
    parentElement('Cdtr', textElement('Nm', fitText(creditorName, 140))),
    parentElement('CdtrAcct', accountElement(account)),
    parentElement('RmtInf', textElement('Ustrd', fitText(message, 140))),
  )

/** An IBAN, a bankgiro number, or a domestic account number. */
function accountElement(account: string): string {
  const plain = normaliseAccount(account)
  if (isIban(plain)) return parentElement('Id', textElement('IBAN', plain))
  const giro = readBankgiro(plain)
  if (giro !== null) return otherAccount(giro, textElement('Prtry', 'BGNR'))
  return otherAccount(formatNationalAccount(plain), textElement('Cd', 'BBAN'))
}

const otherAccount = (id: string, scheme: string) =>
  parentElement('Id', parentElement('Othr', textElement('Id', id), parentElement('SchmeNm', scheme)))
