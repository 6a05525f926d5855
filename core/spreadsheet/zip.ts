/** Writes ZIP archives, as the browser and the server can: each entry is compressed while it is made. */

export interface ZipEntry {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

interface Written {
  name: Uint8Array
  crc: number
  size: number
  compressedSize: number
  offset: number
}

/** What browsers and Node have alike. The rooms of the core know neither's types. */
interface WebPlatform {
  TextEncoder: new () => { encode(text: string): Uint8Array }
  CompressionStream: new (format: 'deflate-raw') => {
    writable: {
      getWriter(): {
        write(bytes: Uint8Array): Promise<void>
        close(): Promise<void>
        abort(reason: unknown): Promise<void>
      }
    }
    readable: {
      getReader(): {
        read(): Promise<{ done: false; value: Uint8Array } | { done: true; value?: undefined }>
        cancel(): Promise<void>
      }
    }
  }
}
const { TextEncoder, CompressionStream } = globalThis as unknown as WebPlatform

const encoder = new TextEncoder()
/** Names are UTF-8, and the sizes follow the contents. */
const flags = 0x0808
const deflated = 8
/** 1 January 1980, the earliest date: a file's bytes depend on its contents alone. */
const dosDate = 0x21

export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = []
  let offset = 0
  const pass = (bytes: Uint8Array) => {
    offset += bytes.length
    return bytes
  }
  for (const { name, content } of entries) {
    const one: Written = { name: encoder.encode(name), crc: 0, size: 0, compressedSize: 0, offset }
    written.push(one)
    yield pass(record(0x04034b50, ...common(one), [2, 0]))
    yield pass(one.name)
    for await (const bytes of deflate(content, one)) yield pass(bytes)
    yield pass(record(0x08074b50, ...sizes(one)))
  }
  const start = offset
  for (const one of written) {
    yield pass(
      record(0x02014b50, [2, 20], ...common(one), [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, one.offset]),
    )
    yield pass(one.name)
  }
  const count: Field = [2, written.length]
  yield record(0x06054b50, [2, 0], [2, 0], count, count, [4, offset - start], [4, start], [2, 0])
}

/** What stands before an entry and again in the directory: version, flags, method, time, date, sizes, name. */
const common = (one: Written): Field[] => [
  [2, 20],
  [2, flags],
  [2, deflated],
  [2, 0],
  [2, dosDate],
  ...sizes(one),
  [2, one.name.length],
]

const sizes = ({ crc, compressedSize, size }: Written): Field[] => [
  [4, crc],
  [4, compressedSize],
  [4, size],
]

/** Bytes and value of a little-endian number. */
type Field = [bytes: 2 | 4, value: number]

function record(signature: number, ...fields: Field[]): Uint8Array {
  const all: Field[] = [[4, signature], ...fields]
  const bytes = new Uint8Array(all.reduce((sum, [width]) => sum + width, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of all) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  return bytes
}

/** Compresses the content, and counts in `one` what went in and came out. */
async function* deflate(content: ZipEntry['content'], one: Written): AsyncGenerator<Uint8Array> {
  const stream = new CompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const feed = async () => {
    try {
      for await (const text of content) {
        const bytes = encoder.encode(text)
        one.crc = crc32(bytes, one.crc)
        one.size += bytes.length
        await writer.write(bytes)
      }
      await writer.close()
    } catch (error) {
      await writer.abort(error)
      throw error
    }
  }
  const fed = feed()
  fed.catch(() => {})
  const reader = stream.readable.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      one.compressedSize += next.value.length
      yield next.value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
  await fed
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** The checksum of ZIP, continued from `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = before ^ -1
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return (crc ^ -1) >>> 0
}
