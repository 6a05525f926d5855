/** Writes a table as an Excel workbook (.xlsx, ECMA-376): one sheet, each column with its type. */
import { writeZip, type ZipEntry } from './zip.ts'

export type CellType = 'text' | 'number' | 'integer' | 'money' | 'date' | 'dateTime' | 'flag'

export interface SheetColumn {
  heading: string
  type: CellType
}

/**
 * An amount shows as many decimals as `decimals` says (0, 2 or 3). A day or time is ISO 8601; its zone is not
 * converted.
 */
export type Cell = string | number | boolean | null | { value: number; decimals: number }

export interface Sheet {
  name: string
  columns: readonly SheetColumn[]
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>
}

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Excel's own limits. */
const sheetRowsMax = 1_048_576
const textMax = 32_767
const sheetNameMax = 31

export const writeWorkbook = (sheet: Sheet): AsyncGenerator<Uint8Array> => writeZip(parts(sheet))

function* parts(sheet: Sheet): Generator<ZipEntry> {
  for (const [name, content] of fixedParts(sheet.name)) yield { name, content: [content] }
  yield { name: 'xl/worksheets/sheet1.xml', content: writeSheet(sheet) }
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The order of the cell formats in `styles`. */
const styles = {
  text: 0,
  heading: 1,
  number: 0,
  integer: 2,
  money2: 3,
  money0: 4,
  money3: 5,
  date: 6,
  dateTime: 7,
  flag: 0,
} as const
/** The formats by number: 1, 4, 3 and 14 and 22 are Excel's own; the last two follow the reader's country. */
const formatNumbers = [0, 0, 1, 4, 3, 164, 14, 22]

const fixedParts = (name: string): [name: string, content: string][] => [
  [
    '[Content_Types].xml',
    `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${head}<workbook xmlns="${main}" xmlns:r="${officeRelations}"><sheets><sheet name="${escapeXml(toSheetName(name))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${officeRelations}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="#,##0.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formatNumbers.length}">${formatNumbers.map((format, index) => `<xf numFmtId="${format}" fontId="${index === styles.heading ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`).join('')}</cellXfs></styleSheet>`,
  ],
]

/** Excel refuses these signs and longer names. */
const toSheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\]/g, ' ')
    .replace(/^'+|'+$/g, '')
    .slice(0, sheetNameMax)
    .trim() || 'Sheet1'

async function* writeSheet({ columns, rows }: Sheet): AsyncGenerator<string> {
  const last = columnName(Math.max(columns.length - 1, 0))
  yield `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns
    .map((column, index) => `<col min="${index + 1}" max="${index + 1}" width="${width(column)}"/>`)
    .join('')}</cols><sheetData>`
  yield `<row r="1">${columns.map(({ heading }) => textCell(heading, styles.heading)).join('')}</row>`
  let count = 1
  for await (const row of rows) {
    if (++count > sheetRowsMax) throw new RangeError(`A sheet has at most ${sheetRowsMax} rows.`)
    yield `<row r="${count}">${columns.map(({ type }, index) => writeCell(row[index] ?? null, type)).join('')}</row>`
  }
  yield `</sheetData>${columns.length > 0 ? `<autoFilter ref="A1:${last}${count}"/>` : ''}</worksheet>`
}

const width = ({ heading, type }: SheetColumn): number =>
  Math.min(40, Math.max(heading.length + 3, type === 'text' ? 18 : 13))

function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

function writeCell(cell: Cell, type: CellType): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'boolean') return `<c t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'object') return numberCell(cell.value, moneyStyle(cell.decimals))
  if (typeof cell === 'number') {
    if (!Number.isFinite(cell)) return '<c/>'
    return numberCell(cell, type === 'money' ? styles.money2 : type === 'integer' ? styles.integer : 0)
  }
  if (type === 'date' || type === 'dateTime') {
    const serial = toSerial(cell, type)
    if (serial !== undefined) return numberCell(serial, styles[type])
  }
  return textCell(cell, styles.text)
}

const moneyStyle = (decimals: number): number =>
  decimals === 0 ? styles.money0 : decimals === 3 ? styles.money3 : styles.money2

const numberCell = (value: number, style: number): string =>
  style === 0 ? `<c><v>${value}</v></c>` : `<c s="${style}"><v>${value}</v></c>`

const textCell = (text: string, style: number): string =>
  `<c${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, textMax))}</t></is></c>`

const msInDay = 86_400_000
const dayZero = Date.UTC(1899, 11, 30)
/** Excel counts a 29 February 1900, so that earlier days differ between programs. */
const firstDay = 61

/** Days since the end of 1899; undefined for what is no day that every program reads alike. */
function toSerial(text: string, type: 'date' | 'dateTime'): number | undefined {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?/.exec(text)
  if (!found) return undefined
  const [year, month, day, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const date = Date.UTC(year!, month! - 1, day!)
  const days = (date - dayZero) / msInDay
  if (days < firstDay) return undefined
  if (type === 'date') return days
  return days + (hour * 3600 + minute * 60 + second) / 86_400
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Signs that XML cannot hold become `_xHHHH_` (ECMA-376, ST_Xstring), and so does what looks like that. */
const escapeXml = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, toEscape)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[&<>"]/g, (sign) => entities[sign]!)

const toEscape = (sign: string) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
