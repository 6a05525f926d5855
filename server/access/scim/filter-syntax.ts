/** Parses filters of RFC 7644 section 3.4.2.2, also those in the paths of changes. */
import { badRequest } from './scim-failure.ts'

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparison = (typeof comparisons)[number]

export type Filter =
  | { kind: 'and' | 'or'; parts: readonly Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'present'; path: string }
  | { kind: 'compare'; path: string; comparison: Comparison; value: string | number | boolean | null }
  | { kind: 'within'; path: string; part: Filter }

const lengthMax = 2_000
const depthMax = 10
const pattern = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?)(?![\w.:-])|([A-Za-z$][\w$.:-]*))/y

type Token = { kind: 'sign' | 'text' | 'number' | 'word'; text: string }

function readTokens(source: string): Token[] {
  if (source.length > lengthMax) throw badFilter(`It has more than ${lengthMax} characters.`)
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (source.slice(pattern.lastIndex).trim() !== '') {
    const at = pattern.lastIndex
    const match = pattern.exec(source)
    if (!match) throw badFilter(`"${source.slice(at, at + 20).trim()}" is no part of a filter.`)
    const [, sign, quoted, number, word] = match
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else tokens.push({ kind: 'word', text: word! })
  }
  return tokens
}

export const badFilter = (detail: string) =>
  badRequest('invalidFilter', `The filter is wrong. ${detail} A right one: userName eq "eva@agency.example".`)

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  readAll(): Filter {
    const filter = this.#readOr()
    if (this.#at < this.#tokens.length) throw badFilter(`"${this.#tokens[this.#at]!.text}" is too much.`)
    return filter
  }

  #takeWord(word: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false
    this.#at++
    return true
  }

  #takeSign(sign: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'sign' || token.text !== sign) return false
    this.#at++
    return true
  }

  #requireSign(sign: string): void {
    if (!this.#takeSign(sign)) throw badFilter(`A ${sign} is missing.`)
  }

  #readList(kind: 'and' | 'or', readPart: () => Filter): Filter {
    const parts = [readPart()]
    while (this.#takeWord(kind)) parts.push(readPart())
    return parts.length === 1 ? parts[0]! : { kind, parts }
  }

  #readOr(): Filter {
    if (++this.#depth > depthMax) throw badFilter(`It is nested deeper than ${depthMax}.`)
    const filter = this.#readList('or', () => this.#readList('and', () => this.#readOne()))
    this.#depth--
    return filter
  }

  #readOne(): Filter {
    const path = this.#tokens[this.#at]
    if (this.#takeWord('not')) {
      this.#requireSign('(')
      const part = this.#readOr()
      this.#requireSign(')')
      return { kind: 'not', part }
    }
    if (this.#takeSign('(')) {
      const filter = this.#readOr()
      this.#requireSign(')')
      return filter
    }
    if (path?.kind !== 'word') throw badFilter('An attribute is missing.')
    this.#at++
    return this.#readCondition(path.text)
  }

  #readCondition(path: string): Filter {
    if (this.#takeSign('[')) {
      const part = this.#readOr()
      this.#requireSign(']')
      return { kind: 'within', path, part }
    }
    const operator = this.#tokens[this.#at++]?.text.toLowerCase()
    if (operator === 'pr') return { kind: 'present', path }
    const comparison = comparisons.find((one) => one === operator)
    if (!comparison) throw badFilter(`${path} needs one of ${comparisons.join(', ')} or pr.`)
    return { kind: 'compare', path, comparison, value: this.#readValue() }
  }

  #readValue(): string | number | boolean | null {
    const token = this.#tokens[this.#at++]
    const constant = token?.kind === 'word' ? token.text.toLowerCase() : undefined
    if (constant === 'true' || constant === 'false') return constant === 'true'
    if (constant === 'null') return null
    if (token?.kind === 'number') return Number(token.text)
    if (token?.kind !== 'text')
      throw badFilter('A value is missing: a text in quotes, a number, true or false.')
    try {
      return JSON.parse(token.text) as string
    } catch {
      throw badFilter(`${token.text} is not a text of JSON.`)
    }
  }
}

export const parseFilter = (source: string): Filter => new Parser(readTokens(source)).readAll()
