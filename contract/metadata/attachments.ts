/** Files that people attach to cases, debtors, notes and calls: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { ofDebtor } from '../parties/debtors.ts'
import { dateTime, flag, guid, inputSchema, key, outputSchema, text } from './fields.ts'
import { fileBody } from '../platform/file-body.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

/** Endings of names and what such a file is. The server looks at the content too. */
export const attachmentTypes = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  txt: 'text/plain',
  csv: 'text/csv',
  eml: 'message/rfc822',
} as const
export type AttachmentEnding = keyof typeof attachmentTypes

const nullableGuid = (title: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title,
    'x-field': { readOnly: true },
  })

const fields = {
  attachmentGuid: guid('Attachment', { readOnly: true }),
  caseGuid: nullableGuid('The case; null for the debtor'),
  caseNumber: text(20, 'Case', { readOnly: true }),
  noteGuid: nullableGuid('The note that it belongs to'),
  callGuid: nullableGuid('The call that it belongs to'),
  draft: flag('Waits for its note or call', { readOnly: true }),
  fileName: key(200, 'File name', { readOnly: true, personalData: 'name' }),
  mediaType: key(100, 'Type of file', { readOnly: true }),
  bytes: Type.Integer({ title: 'Size in bytes' }),
  shownToClient: flag('The client sees it'),
  createdAt: dateTime('Attached', { readOnly: true }),
  createdBy: text(200, 'Attached by', { readOnly: true, personalData: 'name' }),
}

export const Attachment = outputSchema(fields, Object.keys(fields) as (keyof typeof fields)[], {
  $id: 'Attachment',
})
export type Attachment = Static<typeof Attachment>

const given = (title: string) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', title }))

export const AttachmentChange = Type.Object(
  {
    ...inputSchema(fields, ['shownToClient']).properties,
    noteGuid: given('The note that it belongs to from now on'),
    callGuid: given('The call that it belongs to from now on'),
  },
  { $id: 'AttachmentChange', additionalProperties: false },
)
export type AttachmentChange = Static<typeof AttachmentChange>

const sentAttachment = {
  query: Type.Object(
    {
      fileName: Type.String({
        minLength: 1,
        maxLength: 255,
        title: 'File name with its ending, such as `contract.pdf`',
      }),
      shownToClient: Type.Optional(Type.Boolean({ title: 'The client sees it', default: false })),
      draft: Type.Optional(
        Type.Boolean({ title: 'It waits for a note or a call that is still written', default: false }),
      ),
    },
    { additionalProperties: false },
  ),
  body: fileBody,
  bodyType: 'application/octet-stream',
  status: 201,
  response: Attachment,
  problems: ['conflict'],
  example: {
    query: { fileName: 'contract.txt', shownToClient: true },
    body: 'Agreed on 2 March: 12 × 500 SEK.\n',
  },
} as const

const ofCase = Type.Object({ caseGuid: guid('Case') })
const ofAttachment = Type.Object({ attachmentGuid: guid('Attachment') })
const area = 'Debtors'
const kinds =
  'PDF, JPEG, PNG, GIF, WebP, HEIC, TIFF, Word and Excel without macros, OpenDocument, text, CSV and e-mail (.eml)'
const aboutUpload = `The body is the file itself, as \`application/octet-stream\`: ${kinds}. The content must be what the ending of the name says. The setting \`FORDRA_ATTACHMENT_MB\` limits its size. With \`draft\` only its sender sees it, until \`updateAttachment\` gives it to a note or a call; a draft is deleted after a day. 409 for the 21st draft of a user, and for the 501st file of one case or debtor.`
const aboutReaders =
  'Creditors see the files with `shownToClient`; of a file of a note or a call, those whose note or call has it.'

export const listCaseAttachments = operation({
  id: 'listCaseAttachments',
  name: 'listCaseAttachments',
  method: 'GET',
  path: '/cases/:caseGuid/attachments',
  area,
  summary: "List a case's attached files",
  description: `Those of its notes and calls too, the latest first. ${aboutReaders}`,
  access: ['case.read'],
  params: ofCase,
  query: pageQuery,
  status: 200,
  response: page(Attachment),
})
export const listDebtorAttachments = operation({
  id: 'listDebtorAttachments',
  name: 'listDebtorAttachments',
  method: 'GET',
  path: '/debtors/:debtorGuid/attachments',
  area,
  summary: "List a debtor's attached files",
  description: `Those about the debtor, and those of the debtor's cases that the caller may see, the latest first. ${aboutReaders}`,
  access: ['debtor.read'],
  params: ofDebtor,
  query: pageQuery,
  status: 200,
  response: page(Attachment),
})
export const attachToCase = operation({
  ...sentAttachment,
  id: 'attachToCase',
  name: 'attachToCase',
  method: 'POST',
  path: '/cases/:caseGuid/attachments',
  area,
  summary: 'Attach a file to a case',
  description: aboutUpload,
  access: ['case.write', 'debtor.write'],
  roles: [14],
  params: ofCase,
})
export const attachToDebtor = operation({
  ...sentAttachment,
  id: 'attachToDebtor',
  name: 'attachToDebtor',
  method: 'POST',
  path: '/debtors/:debtorGuid/attachments',
  area,
  summary: 'Attach a file to a debtor',
  description: aboutUpload,
  access: ['case.write', 'debtor.write'],
  roles: [14],
  params: ofDebtor,
})
export const getAttachment = operation({
  id: 'getAttachment',
  name: 'getAttachment',
  method: 'GET',
  path: '/attachments/:attachmentGuid',
  area,
  summary: 'Download an attached file',
  description:
    'Always as `application/octet-stream` with `Content-Disposition: attachment`, so that no browser shows it on the address of the service.',
  access: ['case.read', 'debtor.read'],
  params: ofAttachment,
  status: 200,
  responseType: 'application/octet-stream',
  response: Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }),
})
export const updateAttachment = operation({
  id: 'updateAttachment',
  name: 'updateAttachment',
  method: 'PATCH',
  path: '/attachments/:attachmentGuid',
  area,
  summary: 'Change an attached file',
  description:
    '`noteGuid` or `callGuid` gives the file to a note or a call about the same case or debtor, and ends a draft. Such a file is shown to the client with its note or call, whatever its own `shownToClient` is.',
  access: ['case.write', 'debtor.write'],
  roles: [14],
  params: ofAttachment,
  body: AttachmentChange,
  status: 200,
  response: Attachment,
  example: { body: { shownToClient: true } },
})
export const deleteAttachment = operation({
  id: 'deleteAttachment',
  name: 'deleteAttachment',
  method: 'DELETE',
  path: '/attachments/:attachmentGuid',
  area,
  summary: 'Delete an attached file',
  access: ['case.write', 'debtor.write'],
  roles: [14],
  params: ofAttachment,
  status: 200,
  response: Problem,
})
