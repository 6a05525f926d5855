import { ODataError, type QueryOption } from './odata-error.ts'

export type TokenKind = 'word' | 'text' | 'number' | 'date' | 'date-time' | 'guid' | '(' | ')' | ',' | 'end'

export interface Token {
  kind: TokenKind
  /** Its start and end, in UTF-16 units. */
  at: number
  end: number
  /** The text as written; for a quoted text the value without quotes. */
  text: string
}

export const maxLength = 4000

/** Words between two operands, which need a space on either side. */
export const operatorWords = new Set(['and', 'or', 'eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in'])

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}_-])/iuy
const word = /[\p{L}_][\p{L}\p{N}_.]*/uy
const digits = /[+-]?[0-9][\p{L}\p{N}_.:+-]*/uy
const dateTime = /^\d{4}-\d{2}-\d{2}T/i
const date = /^\d{4}-\d{2}-\d{2}$/
const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Splits the decoded text of a query option into tokens. The last is `end`. */
export function readTokens(option: QueryOption, source: string): Token[] {
  checkCharacters(option, source)
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    while (source[at] === ' ') at++
    const token = readToken(option, source, at)
    tokens.push(token)
    if (token.kind === 'end') return tokens
    at = token.end
  }
}

/** The name of a token in error messages: words as written, values by type alone. */
export function describeToken({ kind, text }: Token): string {
  switch (kind) {
    case 'end':
      return 'the text ends here'
    case 'text':
      return 'a quoted text stands here'
    case 'word':
      return `${quoteWord(text)} stands here`
    case 'number':
    case 'date':
    case 'date-time':
      return `a ${kind} stands here`
    case 'guid':
      return 'a GUID stands here'
    default:
      return `'${kind}' stands here`
  }
}

/** A word in an error message. A word with many digits may be an identity number without quotes, so it is hidden. */
export function quoteWord(text: string): string {
  if (/\d{4}/.test(text)) return 'a word with digits'
  return text.length > 40 ? `'${text.slice(0, 40)}…'` : `'${text}'`
}

function checkCharacters(option: QueryOption, source: string) {
  if (source.length > maxLength) {
    throw new ODataError(option, maxLength, 'the text goes on', `At most ${maxLength} characters are taken`)
  }
  const control = source.search(/\p{Cc}/u)
  if (control >= 0) {
    throw new ODataError(option, control, 'a control character stands here', 'Write a blank, or leave it out')
  }
  if (!source.isWellFormed()) {
    const lone = source.search(/\p{Cs}/u)
    throw new ODataError(option, lone, 'half a surrogate pair stands here', 'Send the text as UTF-8')
  }
}

function readToken(option: QueryOption, source: string, at: number): Token {
  const first = source[at]
  if (first === undefined) return { kind: 'end', at, end: at, text: '' }
  if (first === '(' || first === ')' || first === ',') return { kind: first, at, end: at + 1, text: first }
  if (first === "'") return readText(option, source, at)
  const token =
    matchToken('guid', guid, source, at) ??
    matchToken('number', digits, source, at) ??
    matchToken('word', word, source, at)
  if (token?.kind === 'number') return classifyDigits(option, source, token)
  if (token?.kind === 'word' && source[token.end] === "'") throw prefixError(option, token)
  if (!token) throw characterError(option, source, at)
  return token
}

function matchToken(kind: TokenKind, pattern: RegExp, source: string, at: number): Token | undefined {
  pattern.lastIndex = at
  const text = pattern.exec(source)?.[0]
  return text === undefined ? undefined : { kind, at, end: at + text.length, text }
}

function readText(option: QueryOption, source: string, at: number): Token {
  let end = at + 1
  for (;;) {
    end = source.indexOf("'", end)
    if (end < 0) {
      throw new ODataError(option, at, 'a quoted text starts here and never ends', closing)
    }
    if (source[end + 1] !== "'") break
    end += 2
  }
  return { kind: 'text', at, end: end + 1, text: source.slice(at + 1, end).replaceAll("''", "'") }
}

const closing = "Close it with ', and write a quote inside it as ''"

function classifyDigits(option: QueryOption, source: string, token: Token): Token {
  if (number.test(token.text)) return token
  if (date.test(token.text)) return { ...token, kind: 'date' }
  if (dateTime.test(token.text)) {
    // Form decoding turns the plus sign of an offset into a space.
    if (/^ \d{2}:\d{2}(?![\d:])/.test(source.slice(token.end, token.end + 7))) {
      throw new ODataError(
        option,
        token.end,
        'a blank stands where the offset of the date-time starts',
        plusHint,
      )
    }
    return { ...token, kind: 'date-time' }
  }
  const found = 'a number, date or GUID that starts here is malformed'
  throw new ODataError(
    option,
    token.at,
    found,
    'Write 12, -0.5, 2026-01-31, 2026-01-31T13:45:00Z, a GUID in groups of 8-4-4-4-12, or a text in quotes; there is no arithmetic, no time of day and no suffix as in 12L',
  )
}

export const plusHint = 'Write the plus sign as %2B in the address'

function prefixError(option: QueryOption, { text, at, end }: Token): ODataError {
  if (operatorWords.has(text.toLowerCase()) || text.toLowerCase() === 'not') {
    return new ODataError(option, end, `no blank stands after '${text}'`, 'Put one there')
  }
  const right =
    'Durations, binaries, enumerations and geography are not supported; write the value without a prefix'
  return new ODataError(option, at, `the prefix ${quoteWord(text)} stands before a quoted text`, right)
}

const unsupported: Record<string, string> = {
  '"': "Put texts in straight single quotes: 'Malmö'",
  '’': "Put texts in straight single quotes: 'Malmö'",
  '‘': "Put texts in straight single quotes: 'Malmö'",
  '/': 'Paths are not supported; name a property of the list item itself',
  '@': 'Parameter aliases are not supported; write the value in place',
  $: '$it, $this and $root are not supported; name the property',
  '[': 'Arrays are not supported; write in (1,2)',
  '{': 'Objects are not supported',
  '%': 'The text may have been encoded twice; encode it once',
  '=': 'Write eq',
  '!': 'Write ne or not',
  '<': 'Write lt or le',
  '>': 'Write gt or ge',
  '&': 'Write and',
  '|': 'Write or',
  '+': 'Arithmetic is not supported',
  '-': 'Arithmetic, negation and -INF are not supported',
  '*': 'Arithmetic is not supported',
}

function characterError(option: QueryOption, source: string, at: number): ODataError {
  const character = String.fromCodePoint(source.codePointAt(at)!)
  const right = Object.hasOwn(unsupported, character)
    ? unsupported[character]!
    : "Write a property name, a value or an operator; texts stand in quotes: 'Malmö'"
  return new ODataError(option, at, `the character ${character} stands here`, right)
}
