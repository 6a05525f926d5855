/** Templates of import files: the headings of a kind in the caller's language. */
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import type { Language } from '../../../../contract/platform/languages.ts'
import { writeWorkbook } from '../../../../core/spreadsheet/workbook.ts'
import { findText } from '../../../../core/text/texts.ts'
import { csvCell } from '../../exports/csv-cell.ts'
import { referenceName } from '../reading/columns.ts'
import { importLabel, kindFields } from './kind-fields.ts'

/** Secrets and pictures come by other ways. */
const leftOut = new Set([
  'password',
  'clientSecret',
  'photoImage',
  'photoImageType',
  'existingUserUniqueId',
  'underAged',
])

/** The headings, needed fields first; where two fields have one label, the second one has its name. */
export function templateHeadings(what: ImportedKind, language: Language): string[] {
  const seen = new Set<string>()
  const { schema, required } = kindFields[what]
  return [...new Set([referenceName, ...required.flat(), ...Object.keys(schema.properties)])]
    .filter((name) => !leftOut.has(name))
    .map((name) => {
      const label = importLabel(language, what, name)
      if (seen.has(label)) return name
      seen.add(label)
      return label
    })
}

const mark = '\ufeff'

/** With a byte order mark and semicolons, as spreadsheets of these languages read it; commas in English. */
export function writeCsvTemplate(what: ImportedKind, language: Language): Buffer {
  const delimiter = language === 'en' ? ',' : ';'
  const cells = templateHeadings(what, language).map((heading) => csvCell(heading, delimiter))
  return Buffer.from(`${mark}${cells.join(delimiter)}\r\n`)
}

export async function writeWorkbookTemplate(what: ImportedKind, language: Language): Promise<Buffer> {
  const columns = templateHeadings(what, language).map((heading) => ({ heading, type: 'text' as const }))
  const name = findText(language, 'lookup', `importkind.${what}`) ?? what
  const parts: Uint8Array[] = []
  for await (const part of writeWorkbook({ name, columns, rows: [] })) parts.push(part)
  return Buffer.concat(parts)
}
