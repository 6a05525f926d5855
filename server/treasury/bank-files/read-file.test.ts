/** Reads bank files in every format, valid and invalid. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { BadPaymentFile, tidyText } from './bank-entry.ts'
import {
  camtDetail,
  camtEntry,
  camtFrame,
  makeBgMax,
  makeCamt,
  makeOcrGiro,
} from '../../testing/records/files.ts'
import { read, refused } from '../../testing/records/read-bank-file.ts'

const two = [
  { reference: '1234567806', amount: 100_000, payer: 'Kalles Plåt AB', message: 'Faktura 17' },
  { reference: null, amount: 5_050, payer: 'Berits Garn', message: 'tack 1234567806' },
]

const padded = (blanks: number) => makeBgMax(two, { spoil: (line) => line + ' '.repeat(blanks) })

describe('BgMax', () => {
  test('is read with references, payers and messages in a one-byte Latin encoding', async () => {
    const { entries, head } = await read(makeBgMax(two), { encoding: 'latin1' })
    assert.deepEqual(head.format, 'BGMAX')
    assert.equal(head.messageId, '20260615173035010331')
    assert.deepEqual(
      entries.map(({ references, amount, payerName, message, words, account, valueDate, notBooked }) => [
        references,
        amount,
        payerName,
        message,
        words,
        account,
        valueDate,
        notBooked,
      ]),
      [
        [['1234567806'], 100_000n, 'Kalles Plåt AB', 'Faktura 17', [], '9912346', '2026-06-15', null],
        [[], 5_050n, 'Berits Garn', 'tack 1234567806', ['1234567806'], '9912346', '2026-06-15', null],
      ],
    )
  })

  test('is read with deductions and extra references, as in the published example', async () => {
    // Bankgirot's example: 1,000.00 less 500.00 and 1,400.00 with three references make a deposit of 1,900.00.
    const file = [
      '01BGMAX               0120040525173035010331P',
      '050009912346          SEK',
      '200003783511                   655969000000000000100000220000000000100',
      '21000378351189853                    0000000000000500003200023000011100',
      '200003783511657866 658765 657767     000000000000140000320000000000140',
      '220003783511                   657866000000000000000000220000000000140',
      '220003783511                   658765000000000000000000220000000000140',
      '15000000000000000000058410000010098232004052500074000000000000190000SEK00000003',
      '7000000002000000010000000200000001',
    ]
    const { entries } = await read(file.map((line) => line.padEnd(80)).join('\n'))
    assert.deepEqual(
      entries.map(({ amount, notBooked, references }) => [amount, notBooked, references.length]),
      [
        [100_000n, null, 1],
        [50_000n, 'REVERSAL', 1],
        [140_000n, null, 3],
      ],
    )
  })

  test('is refused when invalid, and the error names the line', async () => {
    const spoilt = (from: RegExp, to: string) =>
      makeBgMax(two, { spoil: (line) => line.replace(from, to).slice(0, 80) })
    await refused(spoilt(/^(15.{65})\d/, '$19'), /Line 15: the amount of the deposit is not the sum/)
    await refused(spoilt(/^(15.{76})\d/, '$19'), /Line 15: the number of payments/)
    await refused(spoilt(/^70000000\d\d/, '7000000009'), /Line 16: the end record \(70\) counts other/)
    await refused(spoilt(/^70.*/, ''), /without the end record \(70\): it is truncated/)
    await refused(spoilt(/^(20.{35}).{18}/, '$1ABCDEFGHIJKLMNOPQR'), /columns 38 to 55 must be the amount/)
    await refused(spoilt(/^15/, '16'), /the last section has no deposit record/)
    await refused(makeBgMax(two, { mark: 'T' }), /marked as a test/)
    await refused(makeBgMax(two, { currency: 'NOK' }), /must be the currency, SEK or EUR/)
    await refused(makeBgMax(two, { date: '20260231' }), /must be the day/)
    await refused(`${makeBgMax(two)}\n20`, /nothing may follow/)
    await refused(makeBgMax(two).replace('\r\n05', `\r\n05${'0'.repeat(90)}`), /at most 80 characters/)
    await refused(`01BGMAX${'x'.repeat(5_000)}`, /at most 80 characters/)
  })

  test('is read with padded lines, and refused at once with an endless run of blanks', async () => {
    assert.equal((await read(padded(200), { piece: 7 })).entries.length, 2)
    // Trimming one blank at a time would run longer than the test's time limit.
    await refused(`${padded(0)}\n${' '.repeat(2_000_000)}x`, /at most 80 characters/, {
      piece: 1_000_000,
      bytesMax: 4_000_000,
    })
  })
})

const spoiltOcr = (from: RegExp, to: string) =>
  makeOcrGiro([{ reference: '18', amount: 100 }], { spoil: (line) => line.replace(from, to) })

describe('OCR giro', () => {
  test('is read with its KIDs', async () => {
    const { entries, head } = await read(
      makeOcrGiro([
        { reference: '0000531', amount: 102_000, message: 'Foo bar baz' },
        { reference: '123-', amount: 500, negative: true },
      ]),
    )
    assert.equal(head.format, 'OCRGIRO')
    assert.deepEqual(
      entries.map(({ references, amount, message, account, valueDate, currencyCode, notBooked }) => [
        references,
        amount,
        message,
        account,
        valueDate,
        currencyCode,
        notBooked,
      ]),
      [
        [['0000531'], 102_000n, 'Foo bar baz', '99991042764', '2026-06-15', 'NOK', null],
        [['123-'], 500n, null, '99991042764', '2026-06-15', 'NOK', 'REVERSAL'],
      ],
    )
  })

  test('is refused when invalid, and the error names the line', async () => {
    await refused(spoiltOcr(/^(NY090088.{32})\d/, '$19'), /Line 5: the sum is not/)
    await refused(spoiltOcr(/^(NY000089.{7})\d/, '$19'), /Line 6: the number of transactions/)
    await refused(spoiltOcr(/^(NY000089.{15})\d/, '$19'), /Line 6: the number of records/)
    await refused(spoiltOcr(/^NY000089.*/, ''), /truncated/)
    await refused(spoiltOcr(/^NY0900/, 'XX0900'), /begins with NY/)
    await refused(spoiltOcr(/^(NY092130.{7}).{6}/, '$1310226'), /must be the day of settlement/)
  })
})

const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="SEK">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-15</Dt></Dt></Bal>`

const between = (closing: string) =>
  makeCamt(two, { type: '053' }).replace(
    '<TxsSummry>',
    `${balance('OPBD', '10.00') + balance('CLBD', closing)}<TxsSummry>`,
  )

describe('camt', () => {
  for (const [type, version] of [
    ['054', '02'],
    ['054', '04'],
    ['054', '08'],
    ['054', '13'],
    ['053', '02'],
    ['053', '08'],
  ] as const) {
    test(`${type} version ${version} is read`, async () => {
      const { entries, head } = await read(makeCamt(two, { type, version }))
      assert.deepEqual([head.format, head.messageId], [`CAMT${type}`, 'CAMT-1'])
      assert.deepEqual(
        entries.map(({ references, amount, payerName, words, account, valueDate, notBooked }) => [
          references,
          amount,
          payerName,
          words,
          account,
          valueDate,
          notBooked,
        ]),
        [
          [['1234567806'], 100_000n, 'Kalles Plåt AB', [], 'SE4550000000058398257466', '2026-06-15', null],
          [[], 5_050n, 'Berits Garn', ['1234567806'], 'SE4550000000058398257466', '2026-06-15', null],
        ],
      )
    })
  }

  test('each detail of an entry is a payment with the same identity in every file', async () => {
    const paid = two.map((one, index) => ({ ...one, bankReference: `R${index}` }))
    const batch = await read(makeCamt(paid, { batch: true }))
    const single = await read(makeCamt(paid, { type: '053', version: '04', messageId: 'OTHER' }))
    assert.equal(batch.entries.length, 2)
    assert.deepEqual(
      batch.entries.map(({ identity }) => identity),
      single.entries.map(({ identity }) => identity),
    )
  })

  test('entries that are not booked credits are reported and not booked', async () => {
    const { head, foot } = camtFrame({ count: 0 })
    const reversal = camtEntry(100, '').replace('<Sts>', '<RvslInd>true</RvslInd><Sts>')
    const batch = camtEntry(100, '<Btch><NbOfTxs>12</NbOfTxs></Btch>')
    const entries = [
      camtEntry(100, '', { direction: 'DBIT' }),
      camtEntry(100, '', { status: 'PDNG' }),
      reversal,
      batch,
      camtEntry(300, `<Btch><NbOfTxs>3</NbOfTxs></Btch>${camtDetail({ reference: '18', amount: 100 })}`),
    ]
    const found = await read(head + entries.join('') + foot)
    assert.deepEqual(
      found.entries.map(({ notBooked }) => notBooked),
      ['DEBIT', 'PENDING', 'REVERSAL', 'BATCH_WITHOUT_DETAILS', 'BATCH_WITHOUT_DETAILS'],
    )
    // A single detail is the whole entry, whatever number of payments the bank states.
    const whole = `<Btch><NbOfTxs>3</NbOfTxs></Btch>${camtDetail({ reference: '18', amount: 300 })}`
    const [one] = (await read(head + camtEntry(300, whole) + foot)).entries
    assert.deepEqual([one!.notBooked, one!.references], [null, ['18']])
  })

  test('a prefix, another encoding and supplementary data make no difference', async () => {
    const prefixed = makeCamt(two)
      .replaceAll(/<(\/?)([A-Z])/g, '<$1c:$2')
      .replace('xmlns=', 'xmlns:c=')
    assert.equal((await read(prefixed)).entries.length, 2)
    const latin = makeCamt(two).replace('UTF-8', 'ISO-8859-1')
    assert.equal((await read(latin, { encoding: 'latin1' })).entries[0]!.payerName, 'Kalles Plåt AB')
    const more =
      '<SplmtryData><Envlp><x:Own xmlns:x="urn:own"><x:GrpHdr/></x:Own></Envlp></SplmtryData></TxDtls>'
    assert.equal((await read(makeCamt(two).replaceAll('</TxDtls>', more))).entries.length, 2)
  })

  test('an invalid file is refused, and the error names the line', async () => {
    const good = makeCamt(two)
    await refused(good.replace('camt.054', 'pain.002'), /namespace/)
    await refused(good.replace(/ xmlns="[^"]+"/, ''), /namespace/)
    await refused(good.replace('<Sts>', '<Sts xmlns="urn:other">'), /another namespace/)
    await refused(makeCamt(two, { total: 1 }), /the sum of TtlCdtNtries is not that of the entries/)
    await refused(good.replace('<NbOfNtries>2', '<NbOfNtries>3'), /counts other entries/)
    await refused(good.slice(0, 1500), /it is truncated/)
    await refused(good.replace('</Ntry>', '</Ntri>'), /not well-formed/)
    await refused(good.replace('Ccy="SEK"', 'Ccy="XX"'), /currency of ISO 4217/)
    await refused(good.replace('>1000.00<', '>1000.001<'), /at most 2 decimals/)
    await refused(good.replace('>1000.00<', '>1e3<'), /an amount is digits/)
    await refused(good.replace('CRDT', 'PLUS'), /CRDT or DBIT/)
    await refused(good.replace('<Dt>2026-06-15', '<Dt>2026-13-15'), /must be a date/)
    await refused(good.replace('<IBAN>SE4550000000058398257466</IBAN>', '<Othr/>'), /neither an IBAN/)
    await refused(good.replace(/<Acct>.*<\/Acct>/, ''), /must come before|has no Acct/)
    await refused(good.replace('<BkTxCd>', '<Unknown/><BkTxCd>'), /the schema knows no such element in Ntry/)
    const entry = camtEntry(
      300,
      camtDetail({ ...two[0]!, amount: 100 }) + camtDetail({ ...two[1]!, amount: 100 }),
    )
    const { head, foot } = camtFrame({ count: 1 })
    await refused(head + entry + foot, /not the sum of its details/)
    const swapped = /(<Amt Ccy="SEK">1000.00<\/Amt>)(<CdtDbtInd>CRDT<\/CdtDbtInd>)(<Sts>)/
    await refused(good.replace(swapped, '$2$1$3'), /stands after/)
  })

  test('the booked entries of a statement lead from its opening to its closing balance', async () => {
    assert.equal((await read(between('1060.50'))).entries.length, 2)
    await refused(between('1060.51'), /from the opening balance/)
  })

  test('a document type is refused, and so is deep nesting', async () => {
    const bomb =
      '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;"><!ENTITY lol3 "&lol2;&lol2;&lol2;">]>'
    const outside = '<!DOCTYPE d SYSTEM "file:///etc/passwd">'
    for (const doctype of [bomb, outside])
      await refused(makeCamt(two).replace('<Document', `${doctype}<Document`), /DOCTYPE/)
    await refused(makeCamt(two).replace('Kalles', '&lol;'), /not well-formed/)
    const deep = '<x>'.repeat(50)
    await refused(makeCamt(two).replace('<Domn>', deep), /nested deeper/)
    // These names are also properties of every JavaScript object. The reader treats them as ordinary names.
    for (const name of ['constructor', '__proto__', 'toString']) {
      const odd = makeCamt(two).replaceAll('<Domn>', `<${name}><x/></${name}><Domn>`)
      assert.equal((await read(odd)).entries.length, 2)
    }
    await refused(makeCamt(two).replace('Faktura', 'x'.repeat(10_001)), /more than 10000 characters/)
  })
})

test('text from a bank becomes one line without control characters', () => {
  assert.equal(tidyText(' tack\u0000\u0007 så\t\u0085mycket\r\n', 500), 'tack så mycket')
  assert.equal(tidyText('tack så mycket', 6), 'tack s')
  assert.equal(tidyText('\u001f\u007f\u009f ', 500), null)
})

test('an unknown format, a too large file and an unknown encoding are refused', async () => {
  await refused('personnummer;belopp\n1;2', /is unknown/)
  await refused('', /is unknown/)
  await refused('<html></html>', /namespace/)
  await refused(makeCamt(two), /more than .* MiB/, { bytesMax: 1000 })
  await refused(makeCamt(two).replace('UTF-8', 'UTF-16'), /encoding/)
  await refused(makeCamt(two), /encoding/, { encoding: 'latin1' })
})

test('a file split at any position reads the same, and a truncated file is refused', async () => {
  const files = [makeBgMax(two), makeOcrGiro([{ reference: '18', amount: 100 }]), makeCamt(two)]
  const wholes = await Promise.all(files.map((file) => read(file)))
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 }),
      fc.integer({ min: 1, max: 900 }),
      async (which, piece) => {
        assert.deepEqual((await read(files[which]!, { piece })).entries, wholes[which]!.entries)
        // The last columns of an end record are empty.
        const cut = files[which]!.trimEnd().slice(0, -piece - 40)
        await assert.rejects(() => read(cut), BadPaymentFile)
      },
    ),
    { numRuns: 60 },
  )
})
