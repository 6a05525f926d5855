/** The formats of settings, and what an error says of each. */
import type { ErrorObject } from 'ajv'
import { isDateTime } from '../../core/calendar/date-time.ts'
import { isCountry } from '../../core/identity/codes.ts'

/** Keys of 32 bytes in Base64. */
export const keysPattern = '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=(,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)*$'

/** Valid text after `Bearer` (RFC 6750 section 2.1). */
export const bearerPattern = '^[A-Za-z0-9._~+/-]+=*$'

export const assistantsPattern = '^(off|read|write)$'

export const settingFormats = {
  // Accepts local addresses too, such as admin@localhost.
  email: (text: string) => /^[^\s@]+@[^\s@]+$/.test(text),
  day: (text: string) => text.length === 10 && isDateTime(text),
  origins: (text: string) => text.split(',').every(isOrigin),
  hosts: (text: string) => text.split(',').every(isHost),
  country: (text: string) => /^[A-Z]{2}$/.test(text) && isCountry(text),
  'time-zone': (text: string) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
    } catch {
      return false
    }
  },
}

/** True for an origin as browsers write it: lower case, without a path, and without the usual port. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** True for a host as an address has it: lower case, with a port unless it is the usual one of HTTPS. */
const isHost = (text: string): boolean =>
  /^[^*/?#@\s]+$/.test(text) && URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text

/** Says what would be right, but never the given value: it may be a password. */
export function describeError({ params, message }: ErrorObject): string {
  const { format, pattern } = params as { format?: string; pattern?: string }
  return formatMessages[format ?? pattern ?? ''] ?? message ?? 'is invalid'
}

const formatMessages: Record<string, string> = {
  [keysPattern]: 'must be 32 bytes in Base64, or several such keys separated by commas',
  [bearerPattern]:
    'must have only letters without accents, digits and - . _ ~ + /, as made by openssl rand -base64 32',
  [assistantsPattern]: 'must be off, read or write',
  email: 'must be an e-mail address such as name@example.com',
  day: 'must be a date such as 2027-12-31',
  origins:
    'must be origins as browsers send them, such as https://portal.example,https://intranet.example:8443: lower case, no path, no *',
  hosts:
    'must be hosts such as claude.ai,assistant.example:8443: lower case, with the port unless it is 443, no path, no *',
  'time-zone': 'must be an IANA time zone such as Europe/Stockholm',
  country: 'must be a country of ISO 3166-1 such as SE',
  '^postgres(ql)?://': 'must begin with postgres://',
  '^https?://[^/?#@\\s]+$': 'must be an origin such as https://collect.example, without a path',
  '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:|/|$))':
    'must begin with https://, or with http:// on localhost',
}
