/** What copying from web pages and documents leaves behind unseen: soft hyphen, zero-width space, byte order mark. */
const leftovers = /[\u00ad\u200b\ufeff]/g

/** Nearly every text: letters of Western Europe and single blanks between them, with nothing to clean. */
const clean = /^[!-~\u00a1-\u00ac\u00ae-\u00ff]+(?: [!-~\u00a1-\u00ac\u00ae-\u00ff]+)*$/

/**
 * Text as it is stored: composed (NFC), without blanks at its ends and with single blanks inside, so that the same
 * name typed on two machines is the same string. Line ends count as blanks.
 */
export function cleanText(text: string): string {
  if (clean.test(text)) return text
  return text.replace(leftovers, '').normalize('NFC').replace(/\s+/g, ' ').trim()
}

export interface NameParts {
  firstname?: string | null
  middlename?: string | null
  lastname?: string | null
  nameSuffix?: string | null
}

/**
 * A person's full name in the order first, middle, last, suffix: `Åsa Maria Lindqvist Jr`. Null when every part is
 * missing or blank. The result can be longer than `fullName` may be (200): the caller checks that.
 */
export function composeFullName(parts: NameParts): string | null {
  const all = [parts.firstname, parts.middlename, parts.lastname, parts.nameSuffix]
  return cleanText(all.map((part) => part ?? '').join(' ')) || null
}
