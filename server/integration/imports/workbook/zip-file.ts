/** Reads the entries of a ZIP archive out of a file or buffer. Sizes are bounded, so that no archive fills the memory. */
import type { Readable } from 'node:stream'
import { Readable as Stream } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { ImportRefused } from '../reading/import-refused.ts'

/** A file or a buffer, read at any position. */
export interface ByteSource {
  bytes: number
  read(position: number, length: number): Promise<Buffer>
}

export const bufferSource = (buffer: Buffer): ByteSource => ({
  bytes: buffer.length,
  read: (position, length) => Promise.resolve(buffer.subarray(position, position + length)),
})

export interface ZipFile {
  has(name: string): boolean
  /** The uncompressed contents. */
  read(name: string): AsyncIterable<Buffer>
  /** How much of an entry is read, 0 to 1. */
  share(name: string): number
}

interface Entry {
  method: number
  compressedSize: number
  offset: number
  read: number
}

const endBytes = 22
const commentMax = 65_535
const directoryMax = 4 * 1_048_576
const blockBytes = 262_144
/** Of all entries together, uncompressed. */
const contentMax = 2 * 1_073_741_824

const damaged = () =>
  new ImportRefused('The workbook cannot be read: it is damaged or was cut off. Save it again as .xlsx.')

/** Throws ImportRefused for what is no complete ZIP archive. */
export async function openZip(source: ByteSource): Promise<ZipFile> {
  const entries = await readDirectory(source)
  let total = 0
  async function* compressed(entry: Entry): AsyncGenerator<Buffer> {
    const local = await source.read(entry.offset, 30)
    if (local.length < 30 || local.readUInt32LE(0) !== 0x04034b50) throw damaged()
    let at = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
    const end = at + entry.compressedSize
    while (at < end) {
      const block = await source.read(at, Math.min(blockBytes, end - at))
      if (block.length === 0) throw damaged()
      at += block.length
      entry.read += block.length
      yield block
    }
  }
  async function* read(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name)
    if (!entry) throw damaged()
    entry.read = 0
    const contents: AsyncIterable<Buffer> =
      entry.method === 0 ? compressed(entry) : inflate(compressed(entry))
    for await (const block of contents) {
      total += block.length
      if (total > contentMax) throw new ImportRefused('The workbook is too large. Save it as CSV.')
      yield block
    }
  }
  return {
    has: (name) => entries.has(name),
    read,
    share: (name) => {
      const entry = entries.get(name)
      return entry && entry.compressedSize > 0 ? entry.read / entry.compressedSize : 1
    },
  }
}

async function* inflate(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input: Readable = Stream.from(blocks)
  const inflated = createInflateRaw()
  input.on('error', (error) => inflated.destroy(error))
  input.pipe(inflated)
  try {
    for await (const block of inflated as AsyncIterable<Buffer>) yield block
  } catch (error) {
    throw error instanceof ImportRefused ? error : damaged()
  } finally {
    input.destroy()
    inflated.destroy()
  }
}

async function readDirectory(source: ByteSource): Promise<Map<string, Entry>> {
  const tailBytes = Math.min(source.bytes, endBytes + commentMax)
  const tail = await source.read(source.bytes - tailBytes, tailBytes)
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (at < 0 || at + endBytes > tail.length) throw damaged()
  const size = tail.readUInt32LE(at + 12)
  const start = tail.readUInt32LE(at + 16)
  if (size > directoryMax || start + size > source.bytes) throw damaged()
  const directory = await source.read(start, size)
  const entries = new Map<string, Entry>()
  for (let from = 0; from + 46 <= directory.length;) {
    if (directory.readUInt32LE(from) !== 0x02014b50) throw damaged()
    const [flags, method] = [directory.readUInt16LE(from + 8), directory.readUInt16LE(from + 10)]
    const nameBytes = directory.readUInt16LE(from + 28)
    const name = directory.toString('utf8', from + 46, from + 46 + nameBytes)
    if (flags & 1) throw new ImportRefused('The workbook is encrypted. Save it without a password.')
    if (method !== 0 && method !== 8) throw damaged()
    entries.set(name, {
      method,
      compressedSize: directory.readUInt32LE(from + 20),
      offset: directory.readUInt32LE(from + 42),
      read: 0,
    })
    from += 46 + nameBytes + directory.readUInt16LE(from + 30) + directory.readUInt16LE(from + 32)
  }
  return entries
}
