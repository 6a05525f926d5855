/** A refusal of /scim/v2, in the form of RFC 7644 section 3.12. */
import { problems } from '../../../contract/platform/problem.ts'
import { toApiError } from '../../platform/http/app.ts'
import { ApiError } from '../../platform/http/errors.ts'

/** The error types of RFC 7644, table 9. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'

export class ScimFailure extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly headers: Record<string, string>

  constructor(
    status: number,
    detail: string,
    { scimType, headers = {} }: { scimType?: ScimType; headers?: Record<string, string> } = {},
  ) {
    super(detail)
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

export const badRequest = (scimType: ScimType, detail: string): ScimFailure =>
  new ScimFailure(400, detail, { scimType })

export const unknownResource = (what: 'user' | 'group'): ScimFailure =>
  new ScimFailure(404, `There is no such ${what}, or it is outside what you may see.`)

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

export const writeFailure = ({ status, scimType, message }: ScimFailure) => ({
  schemas: [errorSchema],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail: message,
})

/** What the rules of the API say of a value is invalidValue here; what belongs to another resource, uniqueness. */
export function toScimFailure(error: unknown): ScimFailure {
  if (error instanceof ScimFailure) return error
  const known = toApiError(error)
  const [status] = problems[known.kind]
  const { 'www-authenticate': _challenge, ...headers } = known.headers
  if (known.kind === 'unprocessable') return badRequest('invalidValue', known.message)
  if (known.kind === 'invalid') {
    const isMember = known.errors !== undefined && !('' in known.errors)
    return badRequest(isMember ? 'invalidValue' : 'invalidSyntax', known.message)
  }
  if (known.kind === 'conflict' && known.errors !== undefined)
    return new ScimFailure(409, known.message, { scimType: 'uniqueness' })
  return new ScimFailure(status, known.message, { headers })
}

export const isOurFault = (error: unknown): boolean =>
  !(error instanceof ScimFailure) && !(error instanceof ApiError) && toScimFailure(error).status === 500
