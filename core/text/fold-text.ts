/** Folds text for search: removes case and accents, and replaces letters such as æ by plain ones. */

/** Letters that Unicode does not decompose. Must match the database function `fold_text`. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ß: 'ss',
}
const special = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')

/** `Åsa Sjøgren` becomes `asa sjogren`. Punctuation and blanks stay. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(special, (letter) => plainLetters[letter]!)

/** All characters up to U+00BF except letters and digits, and the punctuation of U+2000 to U+206F. */
const betweenWords = /[\0-/:-@[-`{-¿×÷\u2000-\u206f]+/

/** The distinct folded words of a text: `Anna-Karin Ek` has anna, karin and ek. */
export const foldedWords = (text: string): string[] => [
  ...new Set(
    foldText(text)
      .split(betweenWords)
      .filter((word) => word !== ''),
  ),
]
