/**
 * Writes credit transfers for the bank as pain.001.
 *
 * Source: ISO 20022 message definition CustomerCreditTransferInitiationV09 (pain.001.001.09): GroupHeader85,
 * PaymentInstruction30, CreditTransferTransaction34. Elements are in schema order.
 */
import { bankgiroOf, isIban, nationalAccountOf, plainAccount } from '../../../core/identity/bank-account.ts'
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
const fit = (text: string, most: number) =>
  [...text.replaceAll(/[\p{Cc}\ufffe\uffff]+/gu, ' ').trim()].slice(0, most).join('').trim()

/** An element with text; `node` below makes an element with child elements. */
const leaf = (name: string, text: string, attribute = '') => `<${name}${attribute}>${escape(text)}</${name}>`
const node = (name: string, ...children: string[]) => `<${name}>${children.join('')}</${name}>`

/** The whole file. Throws a RangeError without transfers, or for an amount that is not above zero. */
export function writePain001(file: TransferFile): string {
  const { currencyCode, transfers } = file
  if (transfers.length === 0 || transfers.some(({ amount }) => amount <= 0n))
    throw new RangeError('A payment file has transfers, each of an amount above zero.')
  const sum = formatMinor(
    transfers.reduce((all, { amount }) => all + amount, 0n),
    currencyCode,
  )
  const totals = [leaf('NbOfTxs', String(transfers.length)), leaf('CtrlSum', sum)]
  const header = node(
    'GrpHdr',
    leaf('MsgId', file.messageId),
    leaf('CreDtTm', file.createdAt),
    ...totals,
    node('InitgPty', leaf('Nm', fit(file.debtorName, 140))),
  )
  const instruction = node(
    'PmtInf',
    leaf('PmtInfId', file.messageId),
    leaf('PmtMtd', 'TRF'),
    leaf('BtchBookg', 'true'),
    ...totals,
    node('ReqdExctnDt', leaf('Dt', file.executionDate)),
    node('Dbtr', leaf('Nm', fit(file.debtorName, 140))),
    node('DbtrAcct', accountOf(file.account), leaf('Ccy', currencyCode)),
    node('DbtrAgt', node('FinInstnId', node('Othr', leaf('Id', 'NOTPROVIDED')))),
    leaf('ChrgBr', currencyCode === 'EUR' ? 'SLEV' : 'SHAR'),
    ...transfers.map((transfer) => transferOf(transfer, currencyCode)),
  )
  const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${namespace}">${node('CstmrCdtTrfInitn', header, instruction)}</Document>\n`
}

const transferOf = (
  { endToEndId, amount, creditorName, account, message }: CreditTransfer,
  currency: string,
) =>
  node(
    'CdtTrfTxInf',
    node('PmtId', leaf('InstrId', endToEndId), leaf('EndToEndId', endToEndId)),
    node('Amt', leaf('InstdAmt', formatMinor(amount, currency), ` Ccy="${currency}"`)),
    node('Cdtr', leaf('Nm', fit(creditorName, 140))),
    node('CdtrAcct', accountOf(account)),
    node('RmtInf', leaf('Ustrd', fit(message, 140))),
  )

/** An IBAN, a bankgiro number, or a domestic account number. */
function accountOf(account: string): string {
  const plain = plainAccount(account)
  if (isIban(plain)) return node('Id', leaf('IBAN', plain))
  const giro = bankgiroOf(plain)
  if (giro !== null) return other(giro, leaf('Prtry', 'BGNR'))
  return other(nationalAccountOf(plain), leaf('Cd', 'BBAN'))
}

const other = (id: string, scheme: string) =>
  node('Id', node('Othr', leaf('Id', id), node('SchmeNm', scheme)))
