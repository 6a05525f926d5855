/** Looks through a whole file before any row of it is used: a file of the wrong kind is refused, not half imported. */
import { isUtf8 } from 'node:buffer'
import { open, stat } from 'node:fs/promises'
import { ImportRefused } from './import-refused.ts'

export type Encoding = 'utf-8' | 'windows-1252'
export type Format = 'csv' | 'ndjson'

export interface FileFacts {
  path: string
  format: Format
  encoding: Encoding
  bytes: number
  /** Length of the byte order mark. */
  markBytes: number
}

const blockBytes = 1024 * 1024
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])

/** Throws ImportRefused for what is no readable file of text in the encoding. */
export async function inspectFile(
  path: string,
  options: { encoding?: Encoding; format?: Format } = {},
): Promise<FileFacts> {
  const encoding = options.encoding ?? 'utf-8'
  const bytes = await sizeOf(path)
  const file = await open(path, 'r')
  try {
    const start = Buffer.alloc(Math.min(bytes, 64 * 1024))
    await file.read(start, 0, start.length, 0)
    checkKind(path, start)
    const markBytes = encoding === 'utf-8' && start.subarray(0, 3).equals(utf8Mark) ? 3 : 0
    const check = textCheck(path, encoding)
    const block = Buffer.alloc(blockBytes)
    for (let position = markBytes; ;) {
      const { bytesRead } = await file.read(block, 0, block.length, position)
      if (bytesRead === 0) break
      position += bytesRead
      check(block.subarray(0, bytesRead), position >= bytes)
    }
    return { path, format: options.format ?? tellFormat(path, start), encoding, bytes, markBytes }
  } finally {
    await file.close()
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      throw new ImportRefused(`There is no file ${path}. Give the path of a CSV or NDJSON file.`)
    }
    throw new ImportRefused(`${path} cannot be read: ${error.code}.`)
  })
  if (found.isDirectory()) throw new ImportRefused(`${path} is a folder. Give a file in it.`)
  if (!found.isFile()) throw new ImportRefused(`${path} is no ordinary file. Write the rows to a file first.`)
  return found.size
}

const kinds: [start: number[], name: string][] = [
  [[0xff, 0xfe], 'text in UTF-16'],
  [[0xfe, 0xff], 'text in UTF-16'],
  [[0x50, 0x4b, 0x03, 0x04], 'an Excel workbook or another ZIP archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook'],
  [[0x1f, 0x8b], 'compressed with gzip'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
]

function checkKind(path: string, start: Buffer): void {
  const kind = kinds.find(([bytes]) => start.subarray(0, bytes.length).equals(Buffer.from(bytes)))
  if (kind) throw new ImportRefused(`${path} is ${kind[1]}. Save it as CSV in UTF-8, or as NDJSON.`)
}

/** Returns a function that takes the file's blocks in turn and throws at the first byte that is no text. */
function textCheck(path: string, encoding: Encoding): (block: Buffer, isLast: boolean) => void {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  return (block, isLast) => {
    const text = rest.length === 0 ? block : Buffer.concat([rest, block])
    const nul = text.indexOf(0)
    if (nul >= 0) {
      throw new ImportRefused(
        `${path} has a NUL byte on line ${line + countLines(text.subarray(0, nul))}: it is no text, or UTF-16. ` +
          'Save it as CSV in UTF-8, or as NDJSON.',
      )
    }
    const end = isLast || encoding !== 'utf-8' ? text.length : wholeCharacters(text)
    const whole = text.subarray(0, end)
    if (encoding === 'utf-8' && !isUtf8(whole)) {
      throw new ImportRefused(
        `${path} is not in UTF-8: line ${line + countLines(whole.subarray(0, findFault(whole)))} holds other bytes. ` +
          'Save it as UTF-8, or say which encoding it has: windows-1252 is what older Windows programs write (--encoding windows-1252).',
      )
    }
    line += countLines(whole)
    rest = Buffer.from(text.subarray(end))
  }
}

/** The length without a character that the block's end has cut in two. */
function wholeCharacters(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back++) {
    const byte = text[text.length - back]!
    if (byte < 0x80) return text.length
    if (byte >= 0xc0) return text.length - back
  }
  return text.length
}

/** Where the first line ends that is no UTF-8. */
function findFault(text: Buffer): number {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf(10, start)
    const end = found < 0 ? text.length : found + 1
    if (!isUtf8(text.subarray(start, end))) return start
    start = end
  }
  return text.length
}

function countLines(text: Buffer): number {
  let lines = 0
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines++
  return lines
}

function tellFormat(path: string, start: Buffer): Format {
  if (/\.(ndjson|jsonl)$/i.test(path)) return 'ndjson'
  if (/\.(csv|tsv|txt)$/i.test(path)) return 'csv'
  return /^(?:\u{feff})?\s*\{/u.test(start.toString('utf8')) ? 'ndjson' : 'csv'
}
