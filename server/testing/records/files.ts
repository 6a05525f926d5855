/**
 * Bank files for tests, made after the published examples: the layouts of Bankgirot's "exempelfil" for Bankgiro
 * Inbetalningar (agreement on OCR check, check digit and length), of the transactions in Nets' system specification of
 * OCR giro, and of the camt.053 and camt.054 examples of ISO 20022. Names, accounts and references are our own.
 */

export interface TestPayment {
  reference: string | null
  /** Minor units. */
  amount: number
  payer?: string
  message?: string
  /** The bank's own reference. */
  bankReference?: string
  direction?: 'CRDT' | 'DBIT'
  /** Several references with their amounts, in minor units; a negative one is deducted. */
  parts?: { reference: string; amount: number | null }[]
  endToEndId?: string
  /** The bank takes a payment back. */
  isReturn?: boolean
}

const digits = (value: number | string, width: number) => String(value).padStart(width, '0')

export function makeBgMax(
  payments: readonly TestPayment[],
  { date = '20260615', serial = 74, mark = 'P', currency = 'SEK', spoil = (line: string) => line } = {},
): string {
  const lines = [
    `01${'BGMAX'.padEnd(20)}01${date}173035010331${mark}`,
    `05${digits('9912346', 10)}${' '.repeat(10)}${currency}`,
  ]
  for (const [index, { reference, amount, payer, message, parts = [] }] of payments.entries()) {
    const coded = `${reference === null ? '0' : '2'}2${digits(index + 1, 12)}0`
    lines.push(`20${digits('3783511', 10)}${(reference ?? '').padStart(25)}${digits(amount, 18)}${coded}`)
    for (const part of parts) {
      const code = (part.amount ?? 0) < 0 ? '23' : '22'
      const extra = `${digits(Math.abs(part.amount ?? 0), 18)}2${coded.slice(1)}`
      lines.push(`${code}${digits('3783511', 10)}${part.reference.padStart(25)}${extra}`)
    }
    if (message) lines.push(`25${message}`)
    if (payer) lines.push(`26${payer}`, `27${'Storgatan 2'.padEnd(35)}12345`, '28Storåker', '29005500001234')
  }
  const sum = payments.reduce((all, { amount }) => all + amount, 0)
  lines.push(
    `15${digits('58410000010098232', 35)}${date}${digits(serial, 5)}${digits(sum, 18)}${currency}${digits(payments.length, 8)} `,
    `70${digits(payments.length, 8)}${digits(0, 8)}${digits(payments.flatMap(({ parts = [] }) => parts).length, 8)}${digits(1, 8)}`,
  )
  return lines.map((line) => spoil(line.padEnd(80))).join('\r\n')
}

export function makeOcrGiro(
  payments: readonly (TestPayment & { negative?: boolean })[],
  { date = '150626', spoil = (line: string) => line } = {},
): string {
  const lines = [
    'NY000010000080800170031000102000'.padEnd(80, '0'),
    'NY090020001008566000000299991042764'.padEnd(80, '0'),
  ]
  for (const [index, { reference, amount, message, negative }] of payments.entries()) {
    const number = digits(index + 1, 7)
    const settlement = `01321${digits(index + 1, 5)}`
    lines.push(
      `NY092130${number}${date}${settlement}${negative ? '-' : '0'}${digits(amount, 17)}${(reference ?? '').padStart(25)}000000`,
      `NY092131${number}9636827194099038562${'0'.repeat(7)}${date}99990512341${'0'.repeat(22)}`,
    )
    if (message) lines.push(`NY092132${number}${message.padEnd(40)}${'0'.repeat(25)}`)
  }
  const sum = Math.abs(payments.reduce((all, { amount, negative }) => all + (negative ? -amount : amount), 0))
  const ends = `${digits(payments.length, 8)}`
  lines.push(
    `NY090088${ends}${digits(lines.length, 8)}${digits(sum, 17)}${date.repeat(3)}`.padEnd(80, '0'),
    `NY000089${ends}${digits(lines.length + 2, 8)}${digits(sum, 17)}${date}`.padEnd(80, '0'),
  )
  return `${lines.map(spoil).join('\n')}\n`
}

const decimal = (minor: number) =>
  `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${digits(Math.abs(minor) % 100, 2)}`
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export interface TestCamt {
  type?: '053' | '054'
  version?: string
  currency?: string
  date?: string
  iban?: string
  status?: string
  /** What the totals say in place of the sum. */
  total?: number
  messageId?: string
  /** Payments of one entry each; else they are the details of one entry. */
  batch?: boolean
}

/** The head and the end of a file, between which entries stand. */
export function camtFrame({
  type = '054',
  version = '08',
  messageId = 'CAMT-1',
  iban = 'SE4550000000058398257466',
  total,
  count,
  currency = 'SEK',
}: TestCamt & { count: number }): { head: string; foot: string } {
  const [message, statement] =
    type === '054' ? ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'] : ['BkToCstmrStmt', 'Stmt']
  const summary =
    total === undefined
      ? ''
      : `<TxsSummry><TtlCdtNtries><NbOfNtries>${count}</NbOfNtries><Sum>${decimal(total)}</Sum></TtlCdtNtries></TxsSummry>`
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${type}.001.${version}"><${message}>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>2026-06-15T18:00:00+02:00</CreDtTm></GrpHdr>
<${statement}><Id>N-1</Id><CreDtTm>2026-06-15T18:00:00+02:00</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${summary}`,
    foot: `</${statement}></${message}></Document>\n`,
  }
}

export function camtDetail(
  { reference, amount, payer, message, bankReference, direction, parts = [], ...more }: TestPayment,
  { version = '08', currency = 'SEK' }: TestCamt = {},
): string {
  const old = version === '02'
  const money = `<Amt Ccy="${currency}">${decimal(amount)}</Amt>`
  const name =
    payer === undefined ? '' : old ? `<Nm>${escape(payer)}</Nm>` : `<Pty><Nm>${escape(payer)}</Nm></Pty>`
  const remittance = `${message === undefined ? '' : `<Ustrd>${escape(message)}</Ustrd>`}${reference === null ? '' : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${escape(reference)}</Ref></CdtrRefInf></Strd>`}${parts.map((part) => camtPart(part, currency)).join('')}`
  return `<TxDtls><Refs>${bankReference === undefined ? '' : `<AcctSvcrRef>${bankReference}</AcctSvcrRef>`}<EndToEndId>${more.endToEndId ?? 'NOTPROVIDED'}</EndToEndId></Refs>${
    old
      ? `<AmtDtls><TxAmt>${money}</TxAmt></AmtDtls>`
      : `${money}<CdtDbtInd>${direction ?? 'CRDT'}</CdtDbtInd>`
  }${name && `<RltdPties><Dbtr>${name}</Dbtr></RltdPties>`}${remittance && `<RmtInf>${remittance}</RmtInf>`}</TxDtls>`
}

function camtPart(
  { reference, amount }: { reference: string; amount: number | null },
  currency: string,
): string {
  const what = (amount ?? 0) < 0 ? 'CdtNoteAmt' : 'RmtdAmt'
  const told =
    amount === null
      ? ''
      : `<RfrdDocAmt><${what} Ccy="${currency}">${decimal(Math.abs(amount))}</${what}></RfrdDocAmt>`
  return `<Strd>${told}<CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${escape(reference)}</Ref></CdtrRefInf></Strd>`
}

export function camtEntry(
  amount: number,
  details: string,
  {
    version = '08',
    currency = 'SEK',
    date = '2026-06-15',
    status = 'BOOK',
    direction = 'CRDT',
    bankReference = '',
  }: TestCamt & { direction?: string; bankReference?: string } = {},
): string {
  const told = version === '02' ? status : `<Cd>${status}</Cd>`
  const reference = bankReference && `<AcctSvcrRef>${bankReference}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="${currency}">${decimal(amount)}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${told}</Sts><BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date}</Dt></ValDt>${reference}<BkTxCd><Domn><Cd>PMNT</Cd></Domn></BkTxCd>${details && `<NtryDtls>${details}</NtryDtls>`}</Ntry>\n`
}

export function makeCamt(payments: readonly TestPayment[], camt: TestCamt = {}): string {
  const sum = payments.reduce((all, { amount }) => all + amount, 0)
  const isCredit = payments.every(({ direction }) => direction !== 'DBIT')
  const total = camt.total ?? (isCredit ? sum : undefined)
  const { head, foot } = camtFrame({
    ...camt,
    ...(total !== undefined && { total }),
    count: camt.batch ? 1 : payments.length,
  })
  const details = payments.map((payment) => camtDetail(payment, camt))
  const entries = camt.batch
    ? camtEntry(sum, details.join(''), camt)
    : payments
        .map(({ amount, isReturn, direction }, index) => {
          const entry = camtEntry(amount, details[index]!, { ...camt, ...(direction && { direction }) })
          return isReturn ? entry.replace('<Sts>', '<RvslInd>true</RvslInd><Sts>') : entry
        })
        .join('')
  return head + entries + foot
}
