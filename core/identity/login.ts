/**
 * The key of an e-mail or user code: texts with one key are one name. It applies compatibility composition (NFKC), for
 * ligatures and letter width, and full case folding. Small, capital, small, because ẞ has no other capital, ß becomes SS
 * only as a capital, and ς is also σ. I is the capital of i and of the Turkish ı, so ı counts as i; İ keeps its dot.
 * The same as `folded_login` of the database, which decides. Idempotent.
 */
export const foldLogin = (login: string): string =>
  login.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')

/** Letters of these scripts are written together (UTS 39, "highly restrictive"). */
const writtenTogether = ['Latin', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']
const otherScripts = [
  'Greek',
  'Cyrillic',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Georgian',
  'Cherokee',
  'Coptic',
  'Devanagari',
  'Thai',
  'Ethiopic',
]
const scriptLetters = new Map(
  [...writtenTogether, ...otherScripts].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')]),
)
/** Of Unicode, but of no script above. Letters of several scripts, such as ª, are of none. */
const rarer = new RegExp(
  `(?!${[...scriptLetters.values()].map(({ source }) => source).join('|')}|\\p{Script=Common}|\\p{Script=Inherited})\\p{L}`,
  'u',
)

/** Greek and Cyrillic letters that look like Latin ones in common typefaces, small or capital (UTS 39). */
const latinAlike = /[αβγεζηικμνορτυχавекмнорстухѕіјһԁԛԝӏѵ]/u
const isLetter = /\p{L}/u

/** Nothing that is not seen: controls, formats and what Unicode lets programs ignore. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u

/** The parts of an e-mail are written apart, so each may have a script of its own. */
const splitLogin = (login: string): string[] => {
  const at = login.lastIndexOf('@')
  return at < 0 ? [login] : [login.slice(0, at), ...login.slice(at + 1).split('.')]
}

/**
 * What makes an e-mail or user code look like another one: unseen characters, letters of several scripts, or Greek or
 * Cyrillic letters which all look Latin. Undefined for a login without such a fault.
 */
export function findLoginFault(login: string): string | undefined {
  if (unseen.test(login)) return 'must not have characters that are not seen. Type it anew.'
  for (const part of splitLogin(login.normalize('NFKC'))) {
    const scripts = [...scriptLetters].filter(([, letter]) => letter.test(part)).map(([name]) => name)
    if (rarer.test(part)) scripts.push('another')
    if (scripts.length > 1 && scripts.some((name) => !writtenTogether.includes(name)))
      return `must not mix letters of different alphabets: it has ${scripts.join(' and ')} ones, and some look alike.`
    const letters = [...part.toLowerCase()].filter((letter) => isLetter.test(letter))
    if (letters.length > 0 && letters.every((letter) => latinAlike.test(letter)))
      return `must not consist of ${scripts.join('')} letters that look like Latin ones. Write it in Latin letters.`
  }
  return undefined
}
