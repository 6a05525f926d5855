import { Type, type Static } from 'typebox'
import { dateTime, flag, guid, key, outputSchema } from '../metadata/fields.ts'
import { fileEncodings, importedKinds, type ImportedKind } from './imported-kinds.ts'
import { fileBody } from '../platform/file-body.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const fields = {
  fileGuid: guid('File', { readOnly: true }),
  fileName: key(200, 'File name'),
  what: Type.Unsafe<ImportedKind>({ type: 'string', enum: importedKinds, title: 'What it holds' }),
  source: key(50, 'Source'),
  bytes: Type.Integer({ title: 'Size in bytes' }),
  createdAt: dateTime('Uploaded at'),
  importedAt: dateTime('Imported at'),
  jobId: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title: 'The last job that imported it',
  }),
  hasRejected: flag('There are rejected rows'),
}
export const UploadedFile = outputSchema(fields, Object.keys(fields) as (keyof typeof fields)[], {
  $id: 'UploadedFile',
})
export type UploadedFile = Static<typeof UploadedFile>

const ofFile = Type.Object({ fileGuid: guid('File') })
const administer = { area: 'System', access: ['system.admin'], unrestricted: true } as const

export const uploadFile = operation({
  id: 'uploadFile',
  name: 'uploadFile',
  method: 'POST',
  path: '/system/files',
  ...administer,
  summary: 'Upload a file to be imported',
  description:
    'The body is the file itself, CSV, NDJSON or an Excel workbook (.xlsx, its first visible sheet), as `application/octet-stream`. The setting `FORDRA_UPLOAD_MB` limits its size. The command `check-import` tries the file by its `fileGuid`, and `import` imports it. The default `source` is `import`. Rows are identified by the source’s own references. Where a file has no column for the client, send it as `client`; what a row says wins.',
  query: Type.Object(
    {
      what: fields.what,
      fileName: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\u0000-\\u001f\\u007f/\\\\]+$',
        title: 'File name',
      }),
      source: Type.Optional(
        Type.String({
          // A pattern for letters of any alphabet differs between regular expression dialects, so the server checks
          // them.
          title: 'Source: 1 to 50 letters, digits and . _ -',
          default: 'import',
        }),
      ),
      delimiter: Type.Optional(
        Type.String({
          enum: [',', ';', '|', 'tab'],
          title: 'Delimiter of CSV; told from the file unless given',
        }),
      ),
      encoding: Type.Optional(
        Type.String({
          enum: [...fileEncodings],
          title: 'Encoding of CSV; that of its byte order mark, or else UTF-8, unless given',
        }),
      ),
      mappings: Type.Optional(
        Type.String({
          maxLength: 2000,
          title: 'Headings and the members they stand for: `Personnr=idNumber,Namn=lastname`',
        }),
      ),
      columns: Type.Optional(
        Type.String({
          maxLength: 4000,
          title:
            'The members of the columns in order, in place of headings; none leaves one out: `idNumber,,lastname`',
        }),
      ),
      dates: Type.Optional(
        Type.String({
          enum: ['ymd', 'dmy', 'mdy'],
          title: 'Order of days that are not YYYY-MM-DD: `dmy` reads 31.12.2026',
        }),
      ),
      decimals: Type.Optional(
        Type.String({
          enum: ['.', ','],
          title: 'Decimal sign of amounts; with it, groups of three digits are read: `1 234,50`',
        }),
      ),
      client: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 50,
          title: 'Client of the rows that name none, of users also the agency: its code or GUID',
        }),
      ),
      countryCode: Type.Optional(
        Type.String({
          maxLength: 4,
          title:
            'Country of the debtors’ addresses that name none, such as `SE`, or `none`; that of the settings unless given',
        }),
      ),
      allowDuplicates: Type.Optional(
        Type.Boolean({ title: 'Takes debtors whose identity number another one has' }),
      ),
    },
    { additionalProperties: false },
  ),
  body: fileBody,
  bodyType: 'application/octet-stream',
  status: 201,
  response: UploadedFile,
  example: {
    query: { what: 'debtors', fileName: 'debtors.csv', source: 'crm' },
    body: 'lastname,city\nEk,Malmö\n',
  },
})
export const listFiles = operation({
  id: 'listFiles',
  name: 'listFiles',
  method: 'GET',
  path: '/system/files',
  ...administer,
  summary: 'List uploaded files',
  description: 'Newest first unless `$orderby` is given. Files are deleted after 30 days.',
  query: pageQuery,
  status: 200,
  response: page(UploadedFile),
})
export const getRejectedRows = operation({
  id: 'getRejectedRows',
  name: 'getRejectedRows',
  method: 'GET',
  path: '/system/files/:fileGuid/rejected',
  ...administer,
  summary: 'Get the rejected rows of an import',
  description:
    'CSV: line, the source’s reference, the field and the reason. With `rows`, the rows as the file has them, each with its line and reasons in the last two columns; corrected, the file can be imported as it is.',
  params: ofFile,
  query: Type.Object(
    { rows: Type.Optional(Type.Boolean({ title: 'Gives the rows themselves' })) },
    { additionalProperties: false },
  ),
  status: 200,
  responseType: 'text/csv; charset=utf-8',
  response: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'text/csv' }),
})
export const deleteFile = operation({
  id: 'deleteFile',
  name: 'deleteFile',
  method: 'DELETE',
  path: '/system/files/:fileGuid',
  ...administer,
  summary: 'Delete an uploaded file',
  description: 'Also deletes its report of rejected rows. Imported records stay.',
  params: ofFile,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
