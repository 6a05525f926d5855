/** Reads a bank file of any format that we know, as a stream of bytes, into blocks of entries. */
import { createHash } from 'node:crypto'
import { formatMinor, largestMinorOf } from '../../../core/money/money.ts'
import { BadPaymentFile, type BankEntry, type EntryReader, type FileHead } from './bank-entry.ts'
import { readBgMax } from './bgmax.ts'
import { readCamt } from './camt.ts'
import { readOcrGiro } from './ocr-giro.ts'

/** What is read is told block by block; the head comes with the last one. */
export interface EntryBlock {
  entries: BankEntry[]
  end: (FileHead & { sha256: Buffer; bytes: number }) | null
}

type Decoder = InstanceType<typeof TextDecoder>

/** Enough to know the format and the encoding by. */
const beginningBytes = 512

/** Throws a `BadPaymentFile` for what cannot be read; until the block with the head has come, nothing counts. */
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
      opened = open(held)
      chunk = held
    }
    yield { entries: checkSums(opened.reader.write(decode(opened.decoder, chunk))), end: null }
  }
  const { reader, decoder } = opened ?? open(held)
  const first = opened ? [] : reader.write(decode(decoder, held))
  const rest = reader.write(decode(decoder))
  const { entries, head } = reader.end()
  yield {
    entries: checkSums([...first, ...rest, ...entries]),
    end: { ...head, sha256: sha256.digest(), bytes },
  }
}

/** All that a file tells of in a currency is no more than one amount may be, so that no sum of it is beyond what is exact. */
function startSums(): (entries: BankEntry[]) => BankEntry[] {
  const sums = new Map<string, bigint>()
  return (entries) => {
    for (const { currencyCode, amount } of entries) {
      const sum = (sums.get(currencyCode) ?? 0n) + amount
      const most = largestMinorOf(currencyCode)
      if (sum > most)
        throw new BadPaymentFile(
          `The amounts of the file in ${currencyCode} sum to more than is possible: at most ${formatMinor(most, currencyCode)}. Ask the bank for it anew.`,
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
      'The file is not in the encoding that it says, or not in UTF-8 where it says none.',
    )
  }
}

/** By its first characters: lines of BgMax and OCR giro, else XML. */
function open(beginning: Buffer): { reader: EntryReader; decoder: Decoder } {
  const text = beginning.subarray(0, beginningBytes).toString('latin1').replace(/^ï»¿/, '').trimStart()
  if (text.startsWith('01BGMAX')) return { reader: readBgMax(), decoder: new TextDecoder('windows-1252') }
  if (/^NY\d{6}/.test(text)) return { reader: readOcrGiro(), decoder: new TextDecoder('windows-1252') }
  if (!text.startsWith('<'))
    throw new BadPaymentFile(
      'The file is none that is known: camt.053 or camt.054 (XML), BgMax (begins with 01BGMAX), OCR giro (begins with NY).',
    )
  const named = /^<\?xml[^>]*encoding\s*=\s*["']([\w-]+)["']/.exec(text)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!['utf-8', 'iso-8859-1', 'windows-1252', 'us-ascii'].includes(named))
    throw new BadPaymentFile('The XML is in an encoding that is not read. Take UTF-8 or ISO-8859-1.')
  return { reader: readCamt(), decoder: new TextDecoder(named, { fatal: named === 'utf-8' }) }
}
