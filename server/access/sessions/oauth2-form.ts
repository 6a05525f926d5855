/** Parses a token request by RFC 6749: its body (section 3.2) and HTTP Basic (section 2.3.1). */
import { ApiError, invalid } from '../../platform/http/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses an application/x-www-form-urlencoded body. A parameter without a value counts as omitted. */
export function parseForm(bytes: Buffer): Record<string, string> {
  const form: Record<string, string> = Object.create(null) as Record<string, string>
  for (const pair of decodeBytes(bytes).split('&')) {
    const at = pair.indexOf('=')
    const name = decodeComponent(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decodeComponent(pair.slice(at + 1))
    if (name === '' || value === '') continue
    if (name in form) throw invalid({ [name.slice(0, 100)]: ['is given twice. Give it once.'] })
    form[name] = value
  }
  return form
}

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** The credentials of an `Authorization: Basic` header; undefined for another scheme or a malformed one. */
export function parseBasic(header: string): ClientCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  try {
    const [id = '', ...secret] = decodeBytes(Buffer.from(encoded, 'base64')).split(':')
    if (secret.length === 0) return undefined
    return { clientId: decodeComponent(id), clientSecret: decodeComponent(secret.join(':')) }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

const malformed = () =>
  new ApiError('invalid', 'The body is not a form in UTF-8 (application/x-www-form-urlencoded).', {
    errors: { '': ['is not a form in UTF-8.'] },
  })

function decodeBytes(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw malformed()
  }
}

function decodeComponent(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (!decoded.includes('\0')) return decoded
  } catch {
    // A lone percent sign or invalid UTF-8.
  }
  throw malformed()
}
