/** The headers by which an OData client says what it understands (Protocol 4.0, section 8). */
import type { FastifyRequest } from 'fastify'
import { ODataFailure } from './odata-failure.ts'

export const odataVersion = '4.0'

/** How much control information an answer has. */
export type MetadataLevel = 'minimal' | 'none'

/** Throws for a client that takes only older versions, and for one that takes no JSON. */
export function negotiate({ headers }: FastifyRequest, format: string | undefined): MetadataLevel {
  const most = headers['odata-maxversion']
  if (typeof most === 'string' && !(Number.parseFloat(most) >= 4))
    throw new ODataFailure(
      400,
      'invalid',
      'This service speaks OData 4.0. Send OData-MaxVersion: 4.0 or later.',
      {
        target: 'OData-MaxVersion',
      },
    )
  const accept = format ?? headers.accept
  if (accept === undefined || /^json$/i.test(accept)) return 'minimal'
  if (!/application\/(json|\*)|\*\/\*/i.test(accept))
    throw new ODataFailure(
      406,
      'not-acceptable',
      'The service answers in JSON. Send Accept: application/json.',
    )
  if (/(odata\.)?metadata=none/i.test(accept)) return 'none'
  if (/metadata=full/i.test(accept) && !/metadata=minimal|\*\/\*/i.test(accept))
    throw new ODataFailure(
      406,
      'not-acceptable',
      'Full metadata is not supported. Ask for odata.metadata=minimal.',
    )
  return 'minimal'
}

export const contentType = (level: MetadataLevel): string =>
  `application/json;odata.metadata=${level};charset=utf-8`

const pageRowsDefault = 1_000
const pageRowsMax = 5_000

/** The rows of a page: those that the client prefers, within limits. */
export function readPageSize({ headers }: FastifyRequest): { rows: number; applied: boolean } {
  const wanted = /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?([0-9]{1,9})/i.exec(
    String(headers.prefer ?? ''),
  )?.[1]
  const rows = Number(wanted ?? pageRowsDefault)
  return { rows: Math.min(Math.max(1, rows), pageRowsMax), applied: wanted !== undefined }
}
