/** Reads the first sheet of an Excel workbook (.xlsx): its rows as texts, one record for each row with a value. */
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { ImportRefused } from '../reading/import-refused.ts'
import type { CsvRecord } from '../reading/csv-records.ts'
import { formatNumberCell, plainFormat, toCellFormat, type CellFormat } from './cell-formats.ts'
import { openZip, type ByteSource, type ZipFile } from './zip-file.ts'

export interface Workbook {
  /** The sheet that is read. */
  sheet: string
  /** Rows in order. Their lines are those of the sheet. `share` is how much of the sheet is read, 0 to 1. */
  rows: AsyncGenerator<{ records: CsvRecord[]; share: number }>
}

const columnsMax = 1000
const sharedMax = 128 * 1_048_576
const cellMax = 1_048_576

const notWorkbook = () =>
  new ImportRefused('The file is a ZIP archive, but no Excel workbook. Save it as .xlsx or as CSV.')

/** Reads the first visible sheet. Throws ImportRefused for what is no workbook. */
export async function openWorkbook(source: ByteSource, decimals: '.' | ','): Promise<Workbook> {
  const zip = await openZip(source)
  if (!zip.has('xl/workbook.xml')) throw notWorkbook()
  const { sheets, from1904 } = await readSheets(zip)
  const sheet = sheets.find(({ isHidden }) => !isHidden) ?? sheets[0]
  if (!sheet) throw notWorkbook()
  const path = await findTarget(zip, sheet.relation)
  const formats = await readFormats(zip)
  const shared = await readSharedTexts(zip)
  return { sheet: sheet.name, rows: readRows(zip, path, { formats, shared, from1904, decimals }) }
}

const refuse = () => {
  throw new ImportRefused('The workbook cannot be read: its XML is damaged. Save it again as .xlsx.')
}

interface ElementHandlers {
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

/** In a part that lists sheets or formats: Excel allows 65,490 formats of cells. */
const elementsMax = 1_000_000
/** Between two tags. A cell has no more text. */
const textMax = 2 * cellMax

/** Parses a part. Namespace prefixes are left out. `afterBlock` is called between blocks of the file. */
async function* parsePart(zip: ZipFile, path: string, handlers: ElementHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser()
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', (tag) => handlers.open?.(plainName(tag.name), plainAttributes(tag)))
  parser.on('closetag', (tag) => handlers.close?.(plainName(tag.name)))
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  const decoder = new TextDecoder('utf-8')
  let sinceTag = 0
  parser.on('opentagstart', () => (sinceTag = 0))
  for await (const block of zip.read(path)) {
    // A tag or text without an end would grow in memory.
    if ((sinceTag += block.length) > textMax) refuse()
    parser.write(decoder.decode(block, { stream: true }))
    yield
  }
  parser.write(decoder.decode())
  parser.close()
  yield
}

const plainName = (name: string) => name.slice(name.indexOf(':') + 1)
const plainAttributes = ({ attributes }: SaxesTagPlain): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [plainName(name), value]))

async function parseWhole(zip: ZipFile, path: string, handlers: ElementHandlers): Promise<void> {
  // oxlint-disable-next-line no-unused-vars
  for await (const _ of parsePart(zip, path, handlers));
}

/** A part that lists sheets or formats. All of it is kept, so it is limited. */
async function parseDescribing(zip: ZipFile, path: string, handlers: ElementHandlers): Promise<void> {
  let elements = 0
  await parseWhole(zip, path, {
    ...handlers,
    open: (name, attributes) => {
      if (++elements > elementsMax) refuse()
      handlers.open?.(name, attributes)
    },
  })
}

async function readSheets(zip: ZipFile) {
  const sheets: { name: string; relation: string; isHidden: boolean }[] = []
  let from1904 = false
  await parseDescribing(zip, 'xl/workbook.xml', {
    open: (name, attributes) => {
      if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
      if (name !== 'sheet') return
      const isHidden = attributes['state'] !== undefined && attributes['state'] !== 'visible'
      sheets.push({ name: attributes['name'] ?? '', relation: attributes['id'] ?? '', isHidden })
    },
  })
  return { sheets, from1904 }
}

async function findTarget(zip: ZipFile, relation: string): Promise<string> {
  let target: string | undefined
  await parseDescribing(zip, 'xl/_rels/workbook.xml.rels', {
    open: (name, attributes) => {
      if (name === 'Relationship' && attributes['Id'] === relation) target = attributes['Target']
    },
  })
  const path = target?.startsWith('/') ? target.slice(1) : `xl/${target?.replace(/^\.\//, '')}`
  if (target === undefined || !zip.has(path)) throw notWorkbook()
  return path
}

async function readFormats(zip: ZipFile): Promise<CellFormat[]> {
  if (!zip.has('xl/styles.xml')) return []
  const codes = new Map<number, string>()
  const formats: CellFormat[] = []
  let inCells = false
  await parseDescribing(zip, 'xl/styles.xml', {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
      if (name === 'cellXfs') inCells = true
      const id = Number(attributes['numFmtId'] ?? 0)
      if (name === 'xf' && inCells) formats.push(toCellFormat(id, codes.get(id)))
    },
    close: (name) => {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

async function readSharedTexts(zip: ZipFile): Promise<string[]> {
  const texts: string[] = []
  if (!zip.has('xl/sharedStrings.xml')) return texts
  const collect = textCollector()
  let size = 0
  await parseWhole(zip, 'xl/sharedStrings.xml', {
    open: (name) => {
      if (name === 'si') collect.start()
      collect.open(name)
    },
    text: collect.add,
    close: (name) => {
      collect.close(name)
      if (name !== 'si') return
      const text = collect.take()
      size += text.length + 32
      if (size > sharedMax) throw new ImportRefused('The workbook has too many texts. Save it as CSV.')
      texts.push(text)
    },
  })
  return texts
}

/** Collects the `t` elements of a text, without its phonetic help. */
function textCollector() {
  let text = ''
  let depth = 0
  let phonetic = 0
  return {
    start: () => {
      text = ''
    },
    open: (name: string) => {
      if (name === 't') depth += 1
      if (name === 'rPh') phonetic += 1
    },
    close: (name: string) => {
      if (name === 't') depth -= 1
      if (name === 'rPh') phonetic -= 1
    },
    add: (part: string) => {
      if (depth > 0 && phonetic === 0 && text.length < cellMax) text += part
    },
    take: () =>
      text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
  }
}

interface CellContext {
  formats: readonly CellFormat[]
  shared: readonly string[]
  from1904: boolean
  decimals: '.' | ','
}

async function* readRows(
  zip: ZipFile,
  path: string,
  context: CellContext,
): AsyncGenerator<{ records: CsvRecord[]; share: number }> {
  let records: CsvRecord[] = []
  let line = 0
  let column = -1
  let cells: string[] = []
  let cell: Record<string, string> = {}
  let value = ''
  let inValue = false
  const inline = textCollector()
  const open = (name: string, attributes: Record<string, string>) => {
    if (name === 'row') {
      line = attributes['r'] === undefined ? line + 1 : Number(attributes['r'])
      column = -1
      cells = []
    } else if (name === 'c') {
      column = attributes['r'] === undefined ? column + 1 : columnIndex(attributes['r'])
      cell = attributes
      value = ''
      inline.start()
    } else if (name === 'v') inValue = true
    inline.open(name)
  }
  const close = (name: string) => {
    inline.close(name)
    if (name === 'v') inValue = false
    if (name === 'c') {
      if (column >= columnsMax) throw new ImportRefused(`The sheet has more than ${columnsMax} columns.`)
      const text = cell['t'] === 'inlineStr' ? inline.take() : readCell(cell, value, context)
      if (text === '') return
      while (cells.length < column) cells.push('')
      cells[column] = text
    }
    if (name === 'row' && cells.some((text) => text.trim() !== '')) records.push({ line, cells })
  }
  const text = (part: string) => {
    if (inValue && value.length < cellMax) value += part
    inline.add(part)
  }
  // oxlint-disable-next-line no-unused-vars
  for await (const _ of parsePart(zip, path, { open, close, text })) {
    if (records.length === 0) continue
    yield { records, share: zip.share(path) }
    records = []
  }
}

function readCell(cell: Record<string, string>, value: string, context: CellContext): string {
  switch (cell['t']) {
    case 's':
      return context.shared[Number(value)] ?? ''
    case 'b':
      return value === '1' ? 'true' : 'false'
    case 'str':
    case 'e':
    case 'd':
      return value
  }
  if (value.trim() === '' || !Number.isFinite(Number(value))) return value
  return formatNumberCell(Number(value), context.formats[Number(cell['s'] ?? 0)] ?? plainFormat, context)
}

/** The column of an address such as `AB12`, from 0 on. */
function columnIndex(address: string): number {
  let index = 0
  for (const letter of address) {
    const digit = letter.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    index = index * 26 + digit
  }
  return index - 1
}
