/**
 * E-mail addresses, validated by form (RFC 5321 and 6531). Domains reserved for examples (RFC 2606) and
 * international domains are valid. Whether mail arrives is not checked.
 */
import isEmail from 'validator/lib/isEmail.js'

export type EmailResult = { ok: true; email: string } | { ok: false; message: string }

const longest = 254
/**
 * Blanks and control characters could inject mail headers, and what is not seen makes two addresses look alike. Quoted
 * local parts are refused too.
 */
const forbidden = /[\s\p{C}\p{Default_Ignorable_Code_Point}"]/u
const options = { allow_utf8_local_part: true, require_tld: true, allow_ip_domain: false } as const

/**
 * Validates an address and returns it with its domain in lower case. The local part keeps its case, which may
 * distinguish mailboxes. The message never contains the address.
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
