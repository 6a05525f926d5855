/**
 * Reads a template into its pieces: text, names, and what is not allowed. Typst itself reads the template too. This
 * reader only makes sure that no command is used that repeats, reads files or defines names, so that any template is
 * typeset at once and says nothing but what it is given. So its comments, strings and addresses must end where those of
 * Typst end: what one reads as text, the other must not run.
 */
import { templateKeywords } from './template-names.ts'

export type ScannedPiece =
  | { piece: 'text'; text: string; at: number }
  /** `takes`: what follows at once is an argument list or content. */
  | { piece: 'name'; name: string; at: number; takes: boolean; isInCode: boolean }
  | { piece: 'fault'; kind: 'keyword' | 'sign' | 'nesting' | 'number'; name: string; at: number }

const depthMax = 8
const numberMax = 999
const nameAt = /[\p{L}_][\p{L}\p{N}_-]*/uy
/** Every sign that ends a line for Typst. */
const lineComment = /\/\/[^\n\v\f\r\u0085\u2028\u2029]*/y
const commentBegin = /\/\*/y
const commentEnd = /\*\//y
const linkAt = /https?:\/\/[\w.~%/:=&?+,!;'-]*/y
const numberAt = /(\d+)(\.\d+)?[a-z%]*/y

export function scanTemplate(source: string): ScannedPiece[] {
  const scanner = new TemplateScanner(source)
  scanner.readMarkup(0)
  return scanner.pieces
}

class TemplateScanner {
  readonly pieces: ScannedPiece[] = []
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Reads until the bracket that closes the content, or the end. */
  readMarkup(depth: number): void {
    let open = 0
    while (this.#at < this.#source.length) {
      const next = this.#source[this.#at]!
      if (next === ']' && open === 0 && depth > 0) return
      if (next === '[') open++
      if (next === ']' && open > 0) open--
      if (this.#readLink() || this.#skipComment() || this.#readEscape()) continue
      if (next === '#') this.#readHash(depth)
      else if (next === '$' || next === '`' || this.#isReference()) this.#refuseSign(next)
      else this.#takeText(next)
    }
  }

  #readHash(depth: number): void {
    const at = this.#at++
    if (this.#match(nameAt) === undefined) {
      this.pieces.push({ piece: 'fault', kind: 'sign', name: '#', at })
      return
    }
    this.#at = at + 1
    this.#readName(depth, false)
    // A semicolon ends the command and is not printed.
    if (this.#source[this.#at] === ';') this.#at++
  }

  /** A name, with the arguments and contents that follow it. */
  #readName(depth: number, isInCode: boolean): void {
    // With its sign, where it has one.
    const at = this.#at - (isInCode ? 0 : 1)
    const name = this.#match(nameAt)!
    if (templateKeywords.has(name)) {
      this.pieces.push({ piece: 'fault', kind: 'keyword', name, at })
      return
    }
    const takes = this.#source[this.#at] === '(' || this.#source[this.#at] === '['
    this.pieces.push({ piece: 'name', name, at, takes, isInCode })
    while (this.#source[this.#at] === '(' || this.#source[this.#at] === '[') this.#readGroup(depth + 1)
    if (/^\.[\p{L}_]/u.test(this.#source.slice(this.#at, this.#at + 3))) this.#refuseSign('.')
  }

  #readGroup(depth: number): void {
    const at = this.#at++
    if (depth > depthMax) {
      this.pieces.push({ piece: 'fault', kind: 'nesting', name: '', at })
      this.#at = this.#source.length
    } else if (this.#source[at] === '[') {
      this.readMarkup(depth)
      this.#at++
    } else this.#readArguments(depth)
  }

  /** Reads until the closing parenthesis, or the end. */
  #readArguments(depth: number): void {
    while (this.#at < this.#source.length) {
      const next = this.#source[this.#at]!
      if (next === ')') {
        this.#at++
        return
      }
      if (this.#skipComment()) continue
      if (next === '(' || next === '[') this.#readGroup(depth + 1)
      else if (next === '"') this.#readString()
      else if (/\d/.test(next)) this.#readNumber()
      else if (this.#peek(nameAt) !== undefined) this.#readArgument(depth)
      else if (/[\s,:+-]/.test(next)) this.#at++
      else this.#refuseSign(next)
    }
  }

  /** The name of an argument is the typesetter's to check; a value is a name as any other. */
  #readArgument(depth: number): void {
    const at = this.#at
    this.#match(nameAt)
    if (/^\s*:/.test(this.#source.slice(this.#at))) return
    this.#at = at
    this.#readName(depth, true)
  }

  #readNumber(): void {
    const at = this.#at
    const number = this.#match(numberAt)!
    if (Number.parseFloat(number) > numberMax)
      this.pieces.push({ piece: 'fault', kind: 'number', name: number, at })
  }

  #readString(): void {
    const at = ++this.#at
    while (this.#at < this.#source.length && this.#source[this.#at] !== '"')
      this.#at += this.#source[this.#at] === '\\' ? 2 : 1
    this.#at++
    this.pieces.push({ piece: 'text', text: '', at })
  }

  /** A backslash before a sign prints the sign; alone it begins a new line. */
  #readEscape(): boolean {
    if (this.#source[this.#at] !== '\\') return false
    const next = this.#source[this.#at + 1] ?? ''
    const text = /\s/.test(next) || next === '' ? '\n' : next
    this.pieces.push({ piece: 'text', text, at: this.#at })
    this.#at += 2
    return true
  }

  #skipComment(): boolean {
    if (this.#match(lineComment) !== undefined) return true
    if (this.#match(commentBegin) === undefined) return false
    // Comments nest.
    for (let open = 1; open > 0 && this.#at < this.#source.length;) {
      if (this.#match(commentEnd) !== undefined) open--
      else if (this.#match(commentBegin) !== undefined) open++
      else this.#at++
    }
    return true
  }

  /** The address of a page has slashes that begin no comment. The typesetter takes some more signs into it. */
  #readLink(): boolean {
    const at = this.#at
    const text = this.#match(linkAt)
    if (text === undefined) return false
    this.pieces.push({ piece: 'text', text, at })
    const next = this.#source[this.#at] ?? ''
    if (next !== '' && '#$*@(['.includes(next)) this.#refuseSign(next)
    return true
  }

  /** `@name` would refer to a part of the document. */
  #isReference = (): boolean => /^@[\p{L}\p{N}_]/u.test(this.#source.slice(this.#at, this.#at + 3))

  #refuseSign(name: string): void {
    this.pieces.push({ piece: 'fault', kind: 'sign', name, at: this.#at++ })
  }

  #takeText(text: string): void {
    const last = this.pieces.at(-1)
    if (last?.piece === 'text' && last.text !== '') last.text += text
    else this.pieces.push({ piece: 'text', text, at: this.#at })
    this.#at++
  }

  #peek(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#source)?.[0]
  }

  #match(pattern: RegExp): string | undefined {
    const found = this.#peek(pattern)
    if (found !== undefined) this.#at += found.length
    return found
  }
}
