/** Tells from its content what a file is. */
import { listZipNames } from './zip-names.ts'

const startsWith = (content: Uint8Array, signature: readonly number[], from = 0) =>
  signature.every((byte, index) => content[from + index] === byte)

const readLatin = (content: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...content.subarray(from, to))

/** The brands of pictures in the ISO base media format. */
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'])

const signatures: readonly [mediaType: string, fits: (content: Uint8Array) => boolean][] = [
  ['application/pdf', (content) => startsWith(content, [0x25, 0x50, 0x44, 0x46, 0x2d])],
  ['image/jpeg', (content) => startsWith(content, [0xff, 0xd8, 0xff])],
  ['image/png', (content) => startsWith(content, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/gif', (content) => /^GIF8[79]a/.test(readLatin(content, 0, 6))],
  ['image/webp', (content) => /^RIFF[^]{4}WEBP/.test(readLatin(content, 0, 12))],
  [
    'image/heic',
    (content) => readLatin(content, 4, 8) === 'ftyp' && heicBrands.has(readLatin(content, 8, 12)),
  ],
  [
    'image/tiff',
    (content) => startsWith(content, [0x49, 0x49, 0x2a, 0]) || startsWith(content, [0x4d, 0x4d, 0, 0x2a]),
  ],
]

const officeParts: Record<string, string> = {
  'word/document.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'xl/workbook.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
const openDocuments = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
]
/** Programs in Office files and in OpenDocument files. */
const program = /(^|\/)(vbaproject\.bin|vbadata\.xml|activex\/|basic\/|scripts\/)/i

/** The media type; `text/plain` for any text. Undefined for a file of another type. */
export function findFileType(content: Uint8Array): string | undefined {
  const found = signatures.find(([, fits]) => fits(content))
  if (found) return found[0]
  if (startsWith(content, [0x50, 0x4b])) return findPackageType(content)
  return isText(content) ? 'text/plain' : undefined
}

/** Office and OpenDocument files are ZIP archives. */
function findPackageType(content: Uint8Array): string | undefined {
  const names = listZipNames(content)
  if (names === undefined || hasProgram(names)) return undefined
  const part = names.find((name) => Object.hasOwn(officeParts, name))
  if (part !== undefined && names.includes('[Content_Types].xml')) return officeParts[part]
  // The first entry says the type, and is not compressed.
  const first = readLatin(content, 30, 110)
  return names[0] === 'mimetype'
    ? openDocuments.find(
        (type) => first.startsWith(`mimetype${type}`) && !/^[-.]/.test(first.slice(8 + type.length)),
      )
    : undefined
}

const hasProgram = (names: readonly string[]) => names.some((name) => program.test(name))

/** UTF-8 or Latin-1 without control characters other than line ends, tab and form feed. */
function isText(content: Uint8Array): boolean {
  return content.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 12 || byte === 13)
}

/** True for a PDF that says it starts something: a script or a program. What is compressed is not read. */
export const pdfRuns = (content: Uint8Array): boolean =>
  /\/(JavaScript|Launch)\b/.test(new TextDecoder('latin1').decode(content))
