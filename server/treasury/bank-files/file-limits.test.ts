/** Limits of bank files: the largest amounts, and the memory used while reading. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadPaymentFile } from './bank-entry.ts'
import { readCamt } from './camt.ts'
import {
  camtDetail,
  camtEntry,
  camtFrame,
  makeBgMax,
  makeCamt,
  makeOcrGiro,
} from '../../testing/records/files.ts'
import { readPaymentFile } from './read-file.ts'
import { read, refused } from '../../testing/records/read-bank-file.ts'

describe('amounts above the largest payment', () => {
  const most = 10 ** 15
  const files: Record<string, (amounts: readonly number[]) => string> = {
    BgMax: (amounts) => makeBgMax(amounts.map((amount) => ({ reference: '18', amount }))),
    'OCR giro': (amounts) => makeOcrGiro(amounts.map((amount) => ({ reference: '18', amount }))),
    camt: (amounts) => makeCamt(amounts.map((amount) => ({ reference: '18', amount }))),
  }
  for (const [name, make] of Object.entries(files)) {
    test(`${name}: the largest amount is read, a larger amount or sum is refused`, async () => {
      const { entries } = await read(make([most - 5, 5]))
      assert.deepEqual(
        entries.map(({ amount }) => amount),
        [BigInt(most - 5), 5n],
      )
      await refused(make([most + 1]), /amount .*at most 10000000000000\.00/)
      await refused(make([2 ** 53 + 2]), /amount .*at most 10000000000000\.00/)
      await refused(make([most, 1]), /amounts of the file .*sum .*at most 10000000000000\.00/)
    })
  }

  test('are refused in BgMax deductions and in other services of OCR giro too', async () => {
    const deducted = makeBgMax([{ reference: '18', amount: most + 1 }]).replace('\r\n20', '\r\n21')
    await refused(deducted, /amount .*at most/)
    const other = makeOcrGiro([{ reference: '18', amount: most + 1 }]).replaceAll('NY0900', 'NY2100')
    await refused(other, /amount .*at most/)
  })
})

/** Reads a file whose end repeats forever. Returns the number of characters read. */
async function readEndless(beginning: string, repeated: string, message: RegExp): Promise<number> {
  let taken = 0
  function* pieces() {
    yield Buffer.from(beginning)
    const piece = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)))
    for (;;) {
      taken += piece.length
      yield piece
    }
  }
  await assert.rejects(
    async () => {
      for await (const block of readPaymentFile(pieces(), { bytesMax: 1e9 })) assert.equal(block.end, null)
    },
    (error: Error) => error instanceof BadPaymentFile && message.test(error.message),
  )
  return taken
}

describe('an endless camt file', () => {
  const { head } = camtFrame({ count: 1 })
  const entry = camtEntry(100, '<TxDtls></TxDtls>').replace(/<\/TxDtls>.*/s, '')
  const beginnings: [what: string, beginning: string, repeated: string, message: RegExp, most: number][] = [
    [
      'tiny elements in a detail',
      `${head}${entry}<RmtInf>`,
      '<a/>',
      /more elements and texts than 16 MiB/,
      1e6,
    ],
    ['empty structured remittances', `${head}${entry}<RmtInf>`, '<Strd/>', /more elements and texts/, 1e6],
    [
      'tiny elements in an account',
      head.replace(/<Id><IBAN>.*/s, ''),
      '<a/>',
      /more elements and texts/,
      1e6,
    ],
    ['attributes in a tag', `${head}${entry}<RmtInf`, ` a="b"`, /a tag, comment or text has more than/, 3e6],
    ['a comment', `${head}${entry}<!--`, 'more ', /a tag, comment or text has more than/, 3e6],
    ['blanks', `${head}${entry}<RmtInf>`, '     ', /a tag, comment or text has more than/, 3e6],
    ['details', `${head}${entry}</TxDtls>`, '<TxDtls/>', /more than 200000 details/, 3e6],
  ]
  for (const [what, beginning, repeated, message, most] of beginnings) {
    test(`of ${what} is refused before it fills the memory`, async () => {
      const taken = await readEndless(beginning, repeated, message)
      assert.ok(taken <= most, `${taken} characters`)
    })
  }

  test('of comments in an entry is refused when the entry is too long, and the next entry is counted anew', () => {
    const long = camtEntry(100, camtDetail({ reference: '18', amount: 100 }))
    const reader = readCamt({ entryMax: long.length })
    assert.equal(reader.write(head + long + long + long).length, 3)
    assert.throws(
      () => reader.write(long.replace('<Sts>', `<!--${'x'.repeat(100)}--><Sts>`)),
      /an entry \(Ntry\) has more than/,
    )
  })

  test('an entry can have the maximum number of details', async () => {
    const details = '<TxDtls><Amt Ccy="SEK">1.00</Amt></TxDtls>'.repeat(200_000)
    const { head: top, foot } = camtFrame({ count: 1 })
    const { entries } = await read(top + camtEntry(20_000_000, details) + foot, {
      bytesMax: 1e8,
      piece: 262_144,
    })
    assert.equal(entries.length, 200_000)
  })
})
