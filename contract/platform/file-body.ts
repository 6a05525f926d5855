import { Type } from 'typebox'

/** The body of a request that is a file. */
export const fileBody = Type.Unsafe<Blob | Uint8Array>({
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'The file.',
})
