/** How long an answer may be used again, by its headers (RFC 9111). */
import type { IncomingHttpHeaders } from 'node:http'

/** For an answer that says nothing. */
const usualSeconds = 300

/** However long an answer claims: a program that was changed is noticed within a day. */
const secondsMax = 86_400

export function secondsFresh(headers: IncomingHttpHeaders, now = Date.now()): number {
  const directives = readDirectives(headers['cache-control'])
  if (directives.has('no-store') || directives.has('no-cache') || directives.has('private')) return 0
  const lifetime =
    readSeconds(directives.get('s-maxage')) ??
    readSeconds(directives.get('max-age')) ??
    secondsUntil(headers['expires'], headers['date'], now)
  if (lifetime === undefined) return usualSeconds
  return Math.max(0, Math.min(secondsMax, lifetime - (readSeconds(headers['age']) ?? 0)))
}

const readDirectives = (header = ''): Map<string, string> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', value = ''] = part.split('=', 2)
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', '')]
    }),
  )

/** RFC 9111 section 4.2.1: what cannot be read is stale. */
const readSeconds = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : /^\d{1,10}$/.test(text) ? Number(text) : 0

function secondsUntil(
  expires: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  if (expires === undefined) return undefined
  const end = Date.parse(expires)
  if (Number.isNaN(end)) return 0
  const sent = Date.parse(date ?? '')
  return Math.floor((end - (Number.isNaN(sent) ? now : sent)) / 1000)
}
