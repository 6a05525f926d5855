/**
 * E-mail addresses by RFC 5321 and 6531, by their form alone. Domains reserved for examples and tests (RFC 2606) and
 * international ones pass: whether mail arrives is not a question of form.
 */
import isEmail from 'validator/lib/isEmail.js'

export type EmailResult = { ok: true; email: string } | { ok: false; message: string }

const longest = 254
/** Blanks and control characters, which would let an address break out of a mail's header; quoted local parts go too. */
const forbidden = /[\s\p{C}"]/u
const options = { allow_utf8_local_part: true, require_tld: true, allow_ip_domain: false } as const

/**
 * Checks an address and lowers the case of its domain; the local part stays as it is, since it may tell boxes apart.
 * The message doesn't show the address.
 */
export function checkEmail(text: string): EmailResult {
  const trimmed = text.trim().normalize('NFC')
  const at = trimmed.lastIndexOf('@')
  const email = trimmed.slice(0, at + 1) + trimmed.slice(at + 1).toLowerCase()
  if (email.length <= longest && !forbidden.test(email) && isEmail.default(email, options))
    return { ok: true, email }
  return {
    ok: false,
    message: `The text is not an e-mail address: expected name@domain without blanks, of at most ${longest} characters, such as name@example.com.`,
  }
}
