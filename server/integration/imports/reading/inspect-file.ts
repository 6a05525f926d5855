/** Examines the beginning of a file before any row is read: a file of the wrong type is refused as a whole. */
import { open, stat } from 'node:fs/promises'
import type { FileEncoding } from '../../../../contract/integration/imported-kinds.ts'
import { ImportRefused } from './import-refused.ts'

export { fileEncodings as encodings } from '../../../../contract/integration/imported-kinds.ts'
export type Encoding = FileEncoding
export type Format = 'csv' | 'ndjson' | 'xlsx'

export interface FileFacts {
  path: string
  format: Format
  encoding: Encoding
  bytes: number
  /** Length of the byte order mark. */
  markBytes: number
}

const marks: [start: number[], encoding: Encoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

const startsWith = (start: Buffer, bytes: number[]) =>
  start.subarray(0, bytes.length).equals(Buffer.from(bytes))

/** The encoding that a byte order mark names, and the mark's length. */
export function findMark(start: Buffer): { encoding: Encoding; bytes: number } | undefined {
  const found = marks.find(([bytes]) => startsWith(start, bytes))
  return found && { encoding: found[1], bytes: found[0].length }
}

/** Throws ImportRefused for an unreadable or binary file. */
export async function inspectFile(
  path: string,
  options: { encoding?: Encoding; format?: Format } = {},
): Promise<FileFacts> {
  const bytes = await readSize(path)
  const file = await open(path, 'r')
  try {
    const start = Buffer.alloc(Math.min(bytes, 64 * 1024))
    await file.read(start, 0, start.length, 0)
    checkKind(path, start)
    const mark = findMark(start)
    const encoding = mark?.encoding ?? options.encoding ?? 'utf-8'
    const format = options.format ?? detectFormat(path, start)
    return { path, format, encoding, bytes, markBytes: mark?.bytes ?? 0 }
  } finally {
    await file.close()
  }
}

async function readSize(path: string): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      throw new ImportRefused(`There is no file ${path}. Give the path of a CSV or NDJSON file.`)
    }
    throw new ImportRefused(`${path} cannot be read: ${error.code}.`)
  })
  if (found.isDirectory()) throw new ImportRefused(`${path} is a folder. Give a file in it.`)
  if (!found.isFile())
    throw new ImportRefused(`${path} is not a regular file. Write the rows to a file first.`)
  return found.size
}

const kinds: [start: number[], name: string][] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Excel workbook'],
  [[0x1f, 0x8b], 'compressed with gzip'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
]
const zipStart = [0x50, 0x4b, 0x03, 0x04]

function checkKind(path: string, start: Buffer): void {
  const kind = kinds.find(([bytes]) => startsWith(start, bytes))
  if (kind)
    throw new ImportRefused(
      `${path} is ${kind[1]}. Save it as CSV, as a workbook of Excel (.xlsx) or as NDJSON.`,
    )
}

function detectFormat(path: string, start: Buffer): Format {
  if (startsWith(start, zipStart)) return 'xlsx'
  if (/\.(ndjson|jsonl)$/i.test(path)) return 'ndjson'
  if (/\.(csv|tsv|txt)$/i.test(path)) return 'csv'
  return /^(?:\u{feff})?\s*\{/u.test(start.toString('utf8')) ? 'ndjson' : 'csv'
}
