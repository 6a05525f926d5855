/** Finds a person in the bytes of a bank file, which writes names in capitals, in either order, and numbers without signs. */
import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { foldedWords, foldText } from '../../../core/text/fold-text.ts'
import { splitPieces, type SentFile } from './file-limit.ts'

/** What people call a person, and by what numbers and addresses a person is reached. */
export interface PersonTexts {
  /** Whole names: `Anna Ek`. */
  names: readonly string[]
  /** Identity numbers, telephone numbers, e-mail addresses. */
  numbers: readonly string[]
}

/** First and last word of a name stand so close together, whichever comes first. */
const nearby = 40
/** A shorter name of one word is a word of other people's messages too. */
const aloneLength = 6
/** The end of a number, without the century or the country's code. */
const endLength = 9

/** Characters of a piece that are looked at again with the next one. */
const overlap = 400

/** Lets other requests run between pieces: a file may have 64 MiB. */
export async function namesPerson(file: SentFile, person: PersonTexts): Promise<boolean> {
  const find = makeFinder(person)
  if (find(file.fileName ?? '')) return true
  const decoder = new TextDecoder(isUtf8(file.content) ? 'utf-8' : 'windows-1252')
  let tail = ''
  for (const piece of splitPieces(file.content)) {
    const text = tail + decoder.decode(piece, { stream: true })
    if (find(text)) return true
    tail = text.slice(-overlap)
    await setImmediate()
  }
  return false
}

function makeFinder({ names, numbers }: PersonTexts): (text: string) => boolean {
  const patterns = [...new Set(names.flatMap(writePatterns))].map((pattern) => new RegExp(pattern, 'u'))
  const ends = [...new Set(numbers.map((text) => squeeze(foldText(text))))].filter(
    (text) => text.length >= endLength,
  )
  const wanted = ends.map((text) => (text.includes('@') ? text : text.slice(-endLength)))
  return (text) => {
    const folded = foldText(readEntities(text))
    if (patterns.some((pattern) => pattern.test(folded))) return true
    const squeezed = squeeze(folded)
    return wanted.some((one) => squeezed.includes(one))
  }
}

/** `Anna Maria Ek` is found as `ek, anna` and as `anna m ek`. */
function writePatterns(name: string): string[] {
  const words = foldedWords(name)
  const [first, last] = [words[0], words.at(-1)]
  if (first === undefined || last === undefined) return []
  if (words.length === 1) return first.length < aloneLength ? [] : [whole(first)]
  const between = `[^]{0,${nearby}}`
  return [`${whole(first)}${between}${whole(last)}`, `${whole(last)}${between}${whole(first)}`]
}

/**
 * A whole word. A line of BgMax begins with digits and goes on with the name. The words of folded text have no characters
 * of a pattern's own.
 */
const whole = (word: string) => `(?<!\\p{L})${word}(?!\\p{L})`

/** Without what people put between digits. */
const squeeze = (folded: string) => folded.replace(/[\s()+/-]/g, '')

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** XML may write any character as a reference: `&#197;`. */
const readEntities = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi, (_whole, decimal, hex, name) => {
    if (name) return named[(name as string).toLowerCase()]!
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' '
  })
