import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import type { Encoding, FileFacts } from './inspect-file.ts'

/** Consecutive lines of a file. */
export interface LineBlock {
  /** Counted from 1. */
  firstLine: number
  /** Without line ends. Null for a line longer than the API's limit for request bodies. */
  lines: (string | null)[]
  /** Bytes of the file read so far. */
  bytes: number
}

export const longestLine = 1024 * 1024
export const tooLong = `is longer than ${longestLine} bytes. A line end or a quote is probably missing.`
const blockBytes = 256 * 1024
const nul = '\0'
/** Marks bytes that are not UTF-8. U+FFFD alone may be part of the file. */
const undecoded = `${nul}\ufffd`

/** Why a line or cell is not valid text; undefined when it is. */
export function findTextFault(text: string): string | undefined {
  if (!text.includes(nul)) return undefined
  if (!text.includes(undecoded)) return 'holds a NUL character. Remove it, and save the file as UTF-8.'
  return (
    'holds bytes that are not UTF-8. Save the file as UTF-8, or give its encoding: ' +
    'windows-1252 is what older Windows programs write.'
  )
}

/** Reads a text file in blocks of whole lines. The memory of a block is free when the next one is read. */
export async function* readLines(file: FileFacts): AsyncGenerator<LineBlock> {
  const decode = startDecoding(file)
  const rest = new LineRest()
  let bytes = file.markBytes
  let firstLine = 1
  for await (const { chunk, read } of readChunks(file)) {
    bytes += read
    const end = chunk.lastIndexOf(10) + 1
    if (end === 0) {
      rest.add(chunk)
      continue
    }
    const lines: (string | null)[] = []
    const firstEnd = rest.isEmpty ? 0 : chunk.indexOf(10) + 1
    if (firstEnd > 0) lines.push(...rest.take(chunk.subarray(0, firstEnd), decode))
    if (end > firstEnd) lines.push(...decode(chunk.subarray(firstEnd, end)))
    rest.add(chunk.subarray(end))
    yield { firstLine, lines, bytes }
    firstLine += lines.length
  }
  if (!rest.isEmpty) yield { firstLine, lines: rest.take(Buffer.from('\n'), decode), bytes }
}

const toUtf8 = (text: string) => Buffer.from(text.replaceAll('\ufffd', undecoded))

/** The bytes of a file, those in UTF-16 as UTF-8. `read` is their number in the file. */
async function* readChunks({
  path,
  markBytes,
  encoding,
}: FileFacts): AsyncGenerator<{ chunk: Buffer; read: number }> {
  const stream = createReadStream(path, {
    start: markBytes,
    highWaterMark: blockBytes,
  }) as AsyncIterable<Buffer>
  const decoder = isUtf16(encoding) ? new TextDecoder(encoding, { ignoreBOM: true }) : null
  for await (const chunk of stream)
    yield { chunk: decoder ? toUtf8(decoder.decode(chunk, { stream: true })) : chunk, read: chunk.length }
  const rest = decoder?.decode() ?? ''
  if (rest !== '') yield { chunk: toUtf8(rest), read: 0 }
}

const isUtf16 = (encoding: Encoding) => encoding === 'utf-16le' || encoding === 'utf-16be'

/** The beginning of a line whose end has not been read yet. */
class LineRest {
  #parts: Buffer[] = []
  #bytes = 0

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  add(part: Buffer): void {
    if (part.length === 0) return
    this.#bytes += part.length
    // The contents of a line that is too long are dropped.
    if (this.#bytes > longestLine) this.#parts = []
    else this.#parts.push(part)
  }

  take(end: Buffer, decode: DecodeLines): (string | null)[] {
    const bytes = this.#bytes + end.length
    const line = bytes > longestLine ? [null] : decode(Buffer.concat([...this.#parts, end]))
    this.#parts = []
    this.#bytes = 0
    return line
  }
}

/** Decodes bytes that end with a line feed. */
type DecodeLines = (bytes: Buffer) => string[]

function startDecoding(file: FileFacts): DecodeLines {
  const encoding = isUtf16(file.encoding) ? 'utf-8' : file.encoding
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return (bytes) => {
    if (encoding !== 'utf-8' || isUtf8(bytes)) return splitLines(decoder.decode(bytes))
    const lines: string[] = []
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = bytes.indexOf(10, start) + 1
      const line = bytes.subarray(start, end)
      const text = decoder.decode(line)
      lines.push(...splitLines(isUtf8(line) ? text : text.replaceAll('\ufffd', undecoded)))
    }
    return lines
  }
}

/** `text` ends with a line feed. */
function splitLines(text: string): string[] {
  const lines = text.split('\n')
  lines.pop()
  if (text.includes('\r')) {
    for (let at = 0; at < lines.length; at++)
      if (lines[at]!.endsWith('\r')) lines[at] = lines[at]!.slice(0, -1)
  }
  return lines
}
