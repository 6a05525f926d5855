/**
 * The parts of camt.053 and camt.054 that are read, as in their schemas.
 *
 * Source: ISO 20022 message definitions, Bank-to-Customer Cash Management: BankToCustomerStatement
 * (camt.053.001) and BankToCustomerDebitCreditNotification (camt.054.001), versions 02 to 13.
 * Children are in schema order. Each list merges all versions, whose orders agree. Elements below an unlisted
 * element are ignored.
 */
const orders: Readonly<Record<string, readonly string[]>> = {
  Document: ['BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'],
  BkToCstmrStmt: ['GrpHdr', 'Stmt', 'SplmtryData'],
  BkToCstmrDbtCdtNtfctn: ['GrpHdr', 'Ntfctn', 'SplmtryData'],
  GrpHdr: ['MsgId', 'CreDtTm', 'MsgRcpt', 'MsgPgntn', 'OrgnlBizQry', 'AddtlInf'],
  Stmt: [
    'Id',
    'StmtPgntn',
    'ElctrncSeqNb',
    'RptgSeq',
    'LglSeqNb',
    'CreDtTm',
    'FrToDt',
    'CpyDplctInd',
    'RptgSrc',
    'Acct',
    'RltdAcct',
    'Intrst',
    'Bal',
    'TxsSummry',
    'Ntry',
    'AddtlStmtInf',
  ],
  Ntfctn: [
    'Id',
    'NtfctnPgntn',
    'ElctrncSeqNb',
    'RptgSeq',
    'LglSeqNb',
    'CreDtTm',
    'FrToDt',
    'CpyDplctInd',
    'RptgSrc',
    'Acct',
    'RltdAcct',
    'Intrst',
    'TxsSummry',
    'Ntry',
    'AddtlNtfctnInf',
  ],
  Ntry: [
    'NtryRef',
    'Amt',
    'CdtDbtInd',
    'RvslInd',
    'Sts',
    'BookgDt',
    'ValDt',
    'AcctSvcrRef',
    'Avlbty',
    'BkTxCd',
    'ComssnWvrInd',
    'AddtlInfInd',
    'AmtDtls',
    'Chrgs',
    'TechInptChanl',
    'Intrst',
    'CardTx',
    'NtryDtls',
    'AddtlNtryInf',
  ],
  NtryDtls: ['Btch', 'TxDtls'],
  TxDtls: [
    'Refs',
    'Amt',
    'CdtDbtInd',
    'AmtDtls',
    'Avlbty',
    'BkTxCd',
    'Chrgs',
    'Intrst',
    'RltdPties',
    'RltdAgts',
    'LclInstrm',
    'PmtTpInf',
    'Purp',
    'RltdRmtInf',
    'RmtInf',
    'RltdDts',
    'RltdPric',
    'RltdQties',
    'FinInstrmId',
    'Tax',
    'RtrInf',
    'CorpActn',
    'SfkpgAcct',
    'CshDpst',
    'CardTx',
    'AddtlTxInf',
    'SplmtryData',
  ],
}

/** A Map, because element names in a file may equal properties of every object. */
export const orderedChildren: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(orders))

/** Children that an element must have. */
const required: Readonly<Record<string, readonly string[]>> = {
  GrpHdr: ['MsgId', 'CreDtTm'],
  Stmt: ['Id', 'Acct'],
  Ntfctn: ['Id', 'Acct'],
  Ntry: ['Amt', 'CdtDbtInd', 'Sts', 'BkTxCd'],
}
export const requiredChildren: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(required))

export const namespacePattern = /^urn:iso:std:iso:20022:tech:xsd:camt\.05([34])\.001\.(0[2-9]|1[0-3])$/

/** An element that is open or complete. */
export interface Element {
  name: string
  /** The attribute `Ccy` of an amount. */
  currency: string | null
  text: string
  children: Element[]
  /** The position of the latest child in the schema order. */
  reached: number
  line: number
  /** Approximate bytes in memory, including its children. */
  weight: number
}

export const findChild = (element: Element | undefined, ...path: string[]): Element | undefined =>
  path.reduce<Element | undefined>((at, name) => at?.children.find((child) => child.name === name), element)

export const readText = (element: Element | undefined, ...path: string[]): string | null =>
  findChild(element, ...path)?.text.trim() || null

export const findChildren = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? []
