/**
 * Invisible characters: left by copying from web pages and documents (soft hyphen, zero-width space, byte order mark),
 * controls, and those that turn the direction of what follows, by which a name can look like another.
 */
const leftovers =
  /[\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Letters of scripts in which joiners change how a word is written. */
const joiningScripts =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Mong}]/u
const joiners = /[\u200c\u200d]/g

/** Fast path for most texts: Western European letters with single blanks need no cleaning. */
const clean = /^[!-~\u00a1-\u00ac\u00ae-\u00ff]+(?: [!-~\u00a1-\u00ac\u00ae-\u00ff]+)*$/

/**
 * The stored form of a text: composed (NFC), trimmed, with single blanks, so that one name typed on two
 * machines becomes the same string. Line breaks count as blanks.
 */
export function cleanText(text: string): string {
  if (clean.test(text)) return text
  const shown = text.replace(leftovers, '')
  const joined = joiningScripts.test(shown) ? shown : shown.replace(joiners, '')
  return joined.normalize('NFC').replace(/\s+/g, ' ').trim()
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
