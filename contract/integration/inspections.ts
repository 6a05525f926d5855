/** What a file holds, told before it is imported: format, encoding, columns and the fields that they match. */
import { Type, type Static } from 'typebox'
import { importedKinds, fileEncodings, type FileEncoding, type ImportedKind } from './imported-kinds.ts'
import { fileBody } from '../platform/file-body.ts'
import { operation } from '../platform/operation.ts'

/** The most of a file that is inspected: all of a workbook, the beginning of any other file. */
export const inspectedBytesMax = 32 * 1_048_576

const kind = Type.Unsafe<ImportedKind>({ type: 'string', enum: [...importedKinds], title: 'What it holds' })
const choice = <const T extends string>(values: readonly T[], title: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], title })
const oneOrNone = <const T extends string>(values: readonly T[], title: string) =>
  Type.Unsafe<T | null>({ type: ['string', 'null'], enum: [...values, null], title })
const textOrNone = (title: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], title })

const delimiterNames = [',', ';', '|', 'tab'] as const
const dateOrders = ['ymd', 'dmy', 'mdy'] as const
const decimalSigns = ['.', ','] as const

const InspectedColumn = Type.Object(
  {
    heading: Type.String({ title: 'Heading' }),
    examples: Type.Array(Type.String(), { title: 'Its first values' }),
    member: textOrNone('The field that it seems to be'),
    matchedBy: oneOrNone(['heading', 'values'], 'What the match rests on'),
  },
  { $id: 'InspectedColumn' },
)
export type InspectedColumn = Static<typeof InspectedColumn>

const InspectedField = Type.Object(
  {
    name: Type.String({ title: 'Name' }),
    label: Type.String({ title: 'Label in the language of the caller' }),
    required: Type.Boolean({ title: 'A file of the kind needs it' }),
  },
  { $id: 'InspectedField' },
)

export const FileInspection = Type.Object(
  {
    format: choice(['csv', 'ndjson', 'xlsx'], 'Format'),
    encoding: choice(fileEncodings, 'Encoding'),
    delimiter: oneOrNone(delimiterNames, 'Delimiter of CSV'),
    sheet: textOrNone('The sheet of a workbook that is read'),
    dates: oneOrNone(dateOrders, 'Order of days that are not YYYY-MM-DD'),
    decimals: oneOrNone(decimalSigns, 'Decimal sign of amounts'),
    what: kind,
    countryCode: textOrNone('Country that the debtors’ addresses have where they name none'),
    columns: Type.Array(InspectedColumn, { title: 'Columns in order' }),
    fields: Type.Array(InspectedField, { title: 'The fields of the kind' }),
    needed: Type.Array(Type.Array(Type.String()), {
      title: 'What a file of the kind needs: one field of each group',
    }),
  },
  { $id: 'FileInspection' },
)
export type FileInspection = Static<typeof FileInspection>

const administer = { area: 'System', access: ['system.admin'], unrestricted: true } as const

export const inspectFile = operation({
  id: 'inspectFile',
  name: 'inspectFile',
  method: 'POST',
  path: '/system/files/inspect',
  ...administer,
  summary: 'Inspect a file before its import',
  description:
    'Tells format, encoding, delimiter, kind and columns. Columns are matched to fields by their headings (also in the six languages, and by common synonyms) and by their values. Nothing is stored. The body is the file, or its beginning with `beginning=true`; a workbook is sent whole. Send what is known, such as the kind, to have the rest told by it.',
  query: Type.Object(
    {
      fileName: Type.String({ minLength: 1, maxLength: 200, title: 'File name' }),
      beginning: Type.Optional(Type.Boolean({ title: 'The body is only the beginning of the file' })),
      what: Type.Optional(kind),
      delimiter: Type.Optional(choice(delimiterNames, 'Delimiter')),
      encoding: Type.Optional(choice<FileEncoding>(fileEncodings, 'Encoding')),
    },
    { additionalProperties: false },
  ),
  body: fileBody,
  bodyType: 'application/octet-stream',
  bodyBytesMax: inspectedBytesMax,
  status: 200,
  response: FileInspection,
  example: {
    query: { fileName: 'kunder.csv' },
    body: 'Kundnr;Personnummer;Efternamn;Ort\n1;19900101-2385;Ek;Malmö\n',
  },
})

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const TemplateColumns = Type.Object(
  { what: kind, headings: Type.Array(Type.String(), { title: 'Headings' }) },
  { $id: 'ImportTemplate' },
)

export const getImportTemplate = operation({
  id: 'getImportTemplate',
  name: 'getImportTemplate',
  method: 'GET',
  path: '/system/files/templates/:what',
  ...administer,
  summary: 'Get a template of an import file',
  description:
    'The headings of a kind in the language of the caller, as JSON, CSV (`format=csv`) or an Excel workbook (`format=xlsx`). The import wizard knows them again; by the command line, use the field names of the reference.',
  params: Type.Object({ what: kind }),
  query: Type.Object(
    { format: Type.Optional(choice(['json', 'csv', 'xlsx'], 'Format')) },
    { additionalProperties: false },
  ),
  status: 200,
  response: TemplateColumns,
  formats: ['text/csv', workbookType],
  example: { params: { what: 'debtors' } },
})
