/** Text as it is compared when somebody searches: without case, accents and the letters that have no plain sister. */

/** Letters that Unicode does not take apart. In step with the database's function `fold_text`. */
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

/** `Åsa Sjøgren` becomes `asa sjogren`. Signs and blanks stay as they are. */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(special, (letter) => plainLetters[letter]!)

/** Everything up to U+00BF that is no plain letter or digit, and the signs of U+2000 to U+206F. */
const betweenWords = /[\0-/:-@[-`{-¿×÷\u2000-\u206f]+/

/** The words of a text, folded, each once: `Anna-Karin Ek` has anna, karin and ek. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    foldText(text)
      .split(betweenWords)
      .filter((word) => word !== ''),
  ),
]
