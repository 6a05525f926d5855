/** Where a browser may return to after a user decided about an assistant (RFC 8252, RFC 9700 section 4.1). */

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Visible ASCII without a backslash: nothing that two parsers read differently. */
const plainAddress = /^[\x21-\x5b\x5d-\x7e]+$/

/**
 * HTTPS, or HTTP on the own computer. Schemes of programs are refused: any program can claim one, and a browser runs
 * some of them (`javascript:`).
 */
export function isRedirectUri(text: string): boolean {
  if (!plainAddress.test(text) || text.includes('#') || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url)
}

export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && loopbackHosts.has(hostname)

/** The same text; on the own computer with any port, which a program gets from the system (RFC 8252 section 7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true
  if (!isRedirectUri(given) || !isLoopback(new URL(given))) return false
  return registered.some((one) => isLoopback(new URL(one)) && withoutPort(one) === withoutPort(given))
}

function withoutPort(text: string): string {
  const url = new URL(text)
  url.port = ''
  return url.href
}
