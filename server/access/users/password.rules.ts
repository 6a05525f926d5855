/**
 * Rules for passwords (NIST SP 800-63B-4, 3.1.1.2): long enough, not a common one, and not made of a few parts that are
 * easy to guess.
 */

const lengthAlone = 15
const lengthWithSecondFactor = 8
const lengthMax = 128
const productName = 'fordra'

interface Guessable {
  common: ReadonlySet<string>
  /** Signs in the order of the alphabet, of digits, and of the rows of keyboards, both ways. */
  runs: readonly string[]
}

let guessable: Promise<Guessable> | undefined

/** The most common passwords of published breaches, loaded on first use. */
function readGuessable(): Promise<Guessable> {
  guessable ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => ({
    common: new Set([...dictionary['passwords-common'], ...alsoCommon]),
    runs: orders.flatMap((order) => [order, [...order].toReversed().join('')]),
  }))
  return guessable
}

/** Of the languages of the product, which the breaches hardly show, and sentences that everybody knows. */
const alsoCommon =
  'lösenord losenord hemligt välkommen valkommen sommar vinter höst vår fotboll hejsan passord hemmelig velkommen sommer adgangskode kodeord salasana tervetuloa kesä talvi passwort kennwort willkommen geheim herbst inkasso thisisapassword thisismypassword correcthorsebatterystaple'.split(
    ' ',
  )

const orders = [
  'abcdefghijklmnopqrstuvwxyzåäö',
  '01234567890123456789',
  '12345678901234567890',
  'qwertyuiopå',
  'qwertzuiopü',
  'azertyuiop',
  'asdfghjklöä',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
]

/** The parts of a user that a password must not consist of. */
export interface PasswordOwner {
  email: string
  userCode: string | null
  mfaType: number
  fullName?: string
}

/** Says what is wrong with a new password and what would be right; null when it is valid. */
export async function findPasswordFault(
  password: string,
  user: PasswordOwner,
  agencyName: string,
): Promise<string | null> {
  const needed = user.mfaType === 0 ? lengthAlone : lengthWithSecondFactor
  const { length } = [...password]
  if (length < needed) {
    return `must have at least ${needed} characters${user.mfaType === 0 ? ' (8 with a second factor)' : ''}. A sentence is easy to remember.`
  }
  if (length > lengthMax) return `must have at most ${lengthMax} characters.`
  const plain = fold(password).trim()
  const names = findNames(user, agencyName)
  if (names.some((word) => plain.replaceAll(word, '') === '')) {
    return 'must not be the e-mail, the userCode, or the name of the user, the agency or the product. Choose another.'
  }
  const known = await readGuessable()
  if (known.common.has(plain.replaceAll(' ', '')))
    return 'is one of the most common passwords. Choose another.'
  const once = withoutRepeats(plain)
  if (once.length < needed * ownShareMin || weigh(once.replaceAll(year, ' '), names, known) < weightMin)
    return 'is easy to guess: it repeats common words, names or runs of signs. A sentence is easy to remember.'
  return null
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase()
const nameLengthMin = 2

/** The names of user, agency and product, and their words; the longest first. */
function findNames({ email, userCode, fullName = '' }: PasswordOwner, agencyName: string): string[] {
  const whole = [email, email.split('@')[0] ?? '', userCode ?? '', fullName, agencyName, productName].map(
    fold,
  )
  const words = whole.flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)]
    .filter((word) => word.length >= nameLengthMin)
    .toSorted((a, b) => b.length - a.length)
}

/** Of the required length, what is left when repetitions are left out. */
const ownShareMin = 0.6
/** Of different parts: a name, run, year or punctuation mark weighs half a sign, a common password one and a half. */
const weightMin = 3
const year = /(?<!\d)(?:19|20)\d\d(?!\d)/g
const runLengthMin = 3
const wordLengthMin = 4
const wordLengthMax = 16

/** The text without parts of three signs or more that stand in it before. */
function withoutRepeats(text: string): string {
  let kept = ''
  for (let at = 0; at < text.length;) {
    let length = 0
    while (at + length < text.length && kept.includes(text.slice(at, at + length + 1))) length++
    if (length < runLengthMin) {
      kept += text[at]
      at++
    } else at += length
  }
  return kept
}

/** Splits a text into the longest guessable parts and weighs the different ones. Spaces and punctuation inside weigh once. */
function weigh(text: string, names: readonly string[], { common, runs }: Guessable): number {
  const weights = new Map<string, number>()
  for (let at = 0; at < text.length;) {
    const name = names.find((one) => text.startsWith(one, at))?.length ?? 0
    const run = Math.max(repeatLength(text, at), ...runs.map((order) => runLength(text, at, order)))
    const word = wordLength(text, at, common)
    const length = Math.max(name, run, word, 1)
    const part = text.slice(at, at + length)
    const isLight = length === name || length === run || !/[\p{L}\p{N}]/u.test(part)
    weights.set(part, isLight ? 0.5 : length === word ? 1.5 : 1)
    at += length
  }
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0)
}

function repeatLength(text: string, at: number): number {
  let length = 1
  while (text[at + length] === text[at]) length++
  return length >= runLengthMin ? length : 0
}

/** The length of the part of the order that stands in the text. */
function runLength(text: string, at: number, order: string): number {
  let longest = 0
  for (let from = order.indexOf(text[at]!); from !== -1; from = order.indexOf(text[at]!, from + 1)) {
    let length = 1
    while (from + length < order.length && text[at + length] === order[from + length]) length++
    longest = Math.max(longest, length)
  }
  return longest >= runLengthMin ? longest : 0
}

function wordLength(text: string, at: number, common: ReadonlySet<string>): number {
  for (let length = Math.min(wordLengthMax, text.length - at); length >= wordLengthMin; length--)
    if (common.has(text.slice(at, at + length))) return length
  return 0
}
