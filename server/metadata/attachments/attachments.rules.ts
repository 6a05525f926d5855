import { attachmentTypes, type AttachmentEnding } from '../../../contract/metadata/attachments.ts'
import { cleanFileName } from '../../../core/files/file-name.ts'
import { findFileType, pdfRuns } from '../../../core/files/file-type.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'

const endings = Object.keys(attachmentTypes)

export interface CheckedFile {
  name: string
  mediaType: string
}

/** The name as it is kept. Throws a 400 for a name without a known ending. */
export function readFileName(given: string): { name: string; ending: AttachmentEnding } {
  const found = cleanFileName(given)
  if (found === null) throw invalid({ fileName: ['must have a name and an ending, such as contract.pdf.'] })
  const { name, ending } = found
  if (!Object.hasOwn(attachmentTypes, ending))
    throw invalid({ fileName: [`must end with one of ${endings.map((one) => `.${one}`).join(', ')}.`] })
  return { name, ending: ending as AttachmentEnding }
}

/** Throws a 400 for an empty file, and a 422 for one that is not what its name says or that could start a program. */
export function checkFile(given: string, content: Uint8Array): CheckedFile {
  const { name, ending } = readFileName(given)
  if (content.length === 0) throw invalid({ '': ['must not be empty: send the contents of the file.'] })
  const mediaType = attachmentTypes[ending]
  const found = findFileType(content)
  if (found === undefined)
    throw refuse(
      'The content is of no type that can be attached. Macros and scripts are refused. Save it as PDF.',
    )
  const isText = found === 'text/plain' && /^(text|message)\//.test(mediaType)
  if (found !== mediaType && !isText)
    throw refuse(
      `The file is named .${ending}, but its content is ${nameType(found)}. Name it so, or choose another.`,
    )
  if (found === 'application/pdf' && pdfRuns(content))
    throw refuse('The PDF contains a script or starts a program. Print it to a new PDF and attach that.')
  return { name, mediaType }
}

const refuse = (detail: string) => new ApiError('unprocessable', detail, { errors: { '': [detail] } })

/** `.pdf`; for text the ending of plain text. */
const nameType = (mediaType: string) =>
  `.${Object.entries(attachmentTypes).find(([, type]) => type === mediaType)![0]}`
