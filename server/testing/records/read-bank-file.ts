/** Reads bank files in tests, whole or cut anywhere, as a service would. */
import assert from 'node:assert/strict'
import { BadPaymentFile, type BankEntry, type FileHead } from '../../treasury/bank-files/bank-entry.ts'
import { readPaymentFile } from '../../treasury/bank-files/read-file.ts'

export async function read(
  text: string,
  { piece = 4096, encoding = 'utf8', bytesMax = 1_000_000 } = {},
): Promise<{ entries: BankEntry[]; head: FileHead }> {
  const bytes = Buffer.from(text, encoding as BufferEncoding)
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  )
  const entries: BankEntry[] = []
  for await (const block of readPaymentFile(pieces, { bytesMax })) {
    for (const entry of block.entries) entries.push(entry)
    if (block.end) return { entries, head: block.end }
  }
  assert.fail('a file has an end')
}

export const refused = (text: string, message: RegExp, options = {}) =>
  assert.rejects(
    () => read(text, options),
    (error: Error) => {
      assert.ok(error instanceof BadPaymentFile, String(error))
      assert.match(error.message, message)
      return true
    },
  )
