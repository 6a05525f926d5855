/**
 * Invisible characters left by copying from web pages and documents: soft hyphen, zero-width space, byte
 * order mark.
 */
const leftovers = /[\u00ad\u200b\ufeff]/g

/** Fast path for most texts: Western European letters with single blanks need no cleaning. */
const clean = /^[!-~\u00a1-\u00ac\u00ae-\u00ff]+(?: [!-~\u00a1-\u00ac\u00ae-\u00ff]+)*$/

/**
 * The stored form of a text: composed (NFC), trimmed, with single blanks, so that one name typed on two
 * machines becomes the same string. Line breaks count as blanks.
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
 * A person's full name in the order first, middle, last, suffix: `Åsa Maria Lindqvist Jr`. Null when every
 * part is missing or blank. The result may exceed the maximum of `fullName` (200 characters); the caller must
 * check that.
 */
export function composeFullName(parts: NameParts): string | null {
  const all = [parts.firstname, parts.middlename, parts.lastname, parts.nameSuffix]
  return cleanText(all.map((part) => part ?? '').join(' ')) || null
}
