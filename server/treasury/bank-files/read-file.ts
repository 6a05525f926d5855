/** Reads a bank file of any supported format from a stream of bytes, in blocks of entries. */
import { createHash } from 'node:crypto'
import { formatMinor, findLargestMinor } from '../../../core/money/money.ts'
import { BadPaymentFile, type BankEntry, type EntryReader, type FileHead } from './bank-entry.ts'
import { readBgMax } from './bgmax.ts'
import { readCamt } from './camt.ts'
import { readOcrGiro } from './ocr-giro.ts'

/** A block of entries. Only the last block has the head of the file. */
export interface EntryBlock {
  entries: BankEntry[]
  end: (FileHead & { sha256: Buffer; bytes: number }) | null
}

type Decoder = InstanceType<typeof TextDecoder>

/** Enough bytes to recognise the format and the encoding. */
const beginningBytes = 512

/**
 * Throws a `BadPaymentFile` for an invalid file. Do not use any entry before the last block: only then is the file known to
 * be valid.
 */
export async function* readPaymentFile(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { bytesMax }: { bytesMax: number },
): AsyncGenerator<EntryBlock> {
  const sha256 = createHash('sha256')
  let bytes = 0
  let held = Buffer.alloc(0)
  let opened: { reader: EntryReader; decoder: Decoder } | null = null
  const checkSums = startSums()
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    sha256.update(piece)
    let chunk: Uint8Array = piece
    if (opened === null) {
      held = Buffer.concat([held, piece])
      if (held.length < beginningBytes) continue
      opened = recogniseFormat(held)
      chunk = held
    }
    yield { entries: checkSums(opened.reader.write(decode(opened.decoder, chunk))), end: null }
  }
  const { reader, decoder } = opened ?? recogniseFormat(held)
  const first = opened ? [] : reader.write(decode(decoder, held))
  const rest = reader.write(decode(decoder))
  const { entries, head } = reader.end()
  yield {
    entries: checkSums([...first, ...rest, ...entries]),
    end: { ...head, sha256: sha256.digest(), bytes },
  }
}

/** Limits the sum of each currency to the largest amount, so that every total stays exact. */
function startSums(): (entries: BankEntry[]) => BankEntry[] {
  const sums = new Map<string, bigint>()
  return (entries) => {
    for (const { currencyCode, amount } of entries) {
      const sum = (sums.get(currencyCode) ?? 0n) + amount
      const most = findLargestMinor(currencyCode)
      if (sum > most)
        throw new BadPaymentFile(
          `The amounts of the file in ${currencyCode} sum to more than the limit: at most ${formatMinor(most, currencyCode)}. Ask the bank for a new file.`,
        )
      sums.set(currencyCode, sum)
    }
    return entries
  }
}

export const tooLarge = (bytesMax: number) =>
  new BadPaymentFile(
    `The file has more than ${bytesMax / 1_048_576} MiB. Ask the bank for smaller files, or use the command line.`,
  )

function decode(decoder: Decoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch {
    throw new BadPaymentFile(
      'The file is not in the encoding that it declares, or not in UTF-8 when it declares none.',
    )
  }
}

/** Chooses reader and encoding by the first characters: BgMax, OCR giro, otherwise XML. */
function recogniseFormat(beginning: Buffer): { reader: EntryReader; decoder: Decoder } {
  const text = beginning.subarray(0, beginningBytes).toString('latin1').replace(/^ï»¿/, '').trimStart()
  if (text.startsWith('01BGMAX')) return { reader: readBgMax(), decoder: new TextDecoder('windows-1252') }
  if (/^NY\d{6}/.test(text)) return { reader: readOcrGiro(), decoder: new TextDecoder('windows-1252') }
  if (!text.startsWith('<'))
    throw new BadPaymentFile(
      'The format is unknown. Send camt.053 or camt.054 (XML), BgMax (begins with 01BGMAX) or OCR giro (begins with NY).',
    )
  const named = /^<\?xml[^>]*encoding\s*=\s*["']([\w-]+)["']/.exec(text)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'iso-8859-1', 'windows-1252', 'us-ascii'].includes(named))
    throw new BadPaymentFile('The XML has an unsupported encoding. Use UTF-8 or ISO-8859-1.')
  return { reader: readCamt(), decoder: new TextDecoder(named, { fatal: named === 'utf-8' }) }
}
