/**
 * Reads the XML of a camt file element by element. It must be well-formed, in a single supported namespace,
 * with elements in schema order and all required ones present. A document type is refused, so only XML's five
 * predefined entities exist.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { BadPaymentFile } from './bank-entry.ts'
import { namespacePattern, orderedChildren, requiredChildren, type Element } from './camt-schema.ts'

const depthMax = 40
const textMax = 10_000

/** Approximate bytes of an element without its texts, and the limit for all elements in memory at once. */
const elementWeight = 150
const heldMax = 16 * 1_048_576

/** Limit in characters of one tag, comment or text, which the parser buffers whole. */
const markupMax = 1_048_576

export interface CamtLimits {
  /** Characters of one entry, including all details. */
  entryMax: number
}

/** Receives elements as they open and close. It may remove an element from its parent to free memory. */
export interface ElementListener {
  opened(namespace: string): void
  closed(element: Element, parent: Element | undefined): void
}

export class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #listener: ElementListener
  readonly #open: Element[] = []
  #namespace: string | null = null
  readonly #entryMax: number
  /** Position where the current entry began. */
  #entryStart: number | null = null
  /** Total weight of the elements in memory. */
  #held = 0
  /** Characters since the last parser event. */
  #untold = 0
  /** Nesting depth inside supplementary data, where any namespace and structure is allowed. */
  #supplement = 0

  constructor(listener: ElementListener, { entryMax }: CamtLimits) {
    this.#listener = listener
    this.#entryMax = entryMax
    const parser = this.#parser
    parser.on('doctype', () => {
      throw this.#bad('the file has a document type declaration (DOCTYPE), which bank files must not have')
    })
    parser.on('error', () => {
      throw this.#bad('the XML is not well-formed')
    })
    parser.on('opentag', (tag) => this.#start(tag))
    parser.on('closetag', () => this.#end())
    parser.on('text', (text) => this.#addText(text))
    parser.on('cdata', (text) => this.#addText(text))
  }

  write(text: string): void {
    this.#untold += text.length
    this.#parser.write(text)
    if (this.#untold > markupMax + text.length)
      throw this.#bad(`a tag, comment or text has more than ${markupMax} characters`)
    this.#checkEntry()
  }

  end(): void {
    const open = this.#open.at(-1)
    if (open) throw new BadPaymentFile(`The file ends within ${open.name}: it is truncated. Fetch it again.`)
    this.#parser.close()
    if (this.#namespace === null) throw new BadPaymentFile('The file has no Document: it is empty.')
  }

  #bad(message: string): BadPaymentFile {
    return new BadPaymentFile(message, this.#parser.line)
  }

  #checkEntry(): void {
    if (this.#entryStart !== null && this.#parser.position - this.#entryStart > this.#entryMax)
      throw this.#bad(
        `an entry (Ntry) has more than ${this.#entryMax} characters. Ask the bank for smaller entries`,
      )
  }

  #hold(weight: number): void {
    this.#held += weight
    if (this.#held > heldMax)
      throw this.#bad(
        `one payment has more elements and texts than ${heldMax / 1_048_576} MiB can hold. Ask the bank for smaller entries`,
      )
  }

  #start({ local, uri, attributes }: SaxesTagNS): void {
    this.#untold = 0
    if (this.#namespace === null) this.#begin(local, uri)
    const parent = this.#open.at(-1)
    if (this.#open.length >= depthMax) throw this.#bad(`elements are nested deeper than ${depthMax}`)
    if (this.#supplement === 0) {
      if (uri !== this.#namespace) throw this.#bad('an element is in another namespace than the document')
      if (parent) this.#place(parent, local)
    }
    if (this.#supplement > 0 || local === 'SplmtryData') this.#supplement++
    const currency = attributes['Ccy']?.value ?? null
    const weight = elementWeight + local.length + (currency?.length ?? 0)
    if (this.#supplement === 0) this.#hold(weight)
    if (this.#entryStart === null && local === 'Ntry') this.#entryStart = this.#parser.position
    const { line } = this.#parser
    this.#open.push({ name: local, currency, text: '', children: [], reached: 0, line, weight })
  }

  #begin(name: string, namespace: string): void {
    if (name !== 'Document' || !namespacePattern.test(namespace))
      throw this.#bad(
        'the file must be an ISO 20022 Document in the namespace urn:iso:std:iso:20022:tech:xsd:camt.053.001.xx or camt.054.001.xx, version 02 to 13',
      )
    this.#namespace = namespace
    this.#listener.opened(namespace)
  }

  /** Checks that the schema allows the element here, after the elements that came before. */
  #place(parent: Element, name: string): void {
    const order = orderedChildren.get(parent.name)
    if (!order) return
    const place = order.indexOf(name)
    if (place < 0) throw this.#bad(`the schema knows no such element in ${parent.name}`)
    if (place < parent.reached)
      throw this.#bad(`${name} stands after ${order[parent.reached]!}, but the schema has it before`)
    parent.reached = place
  }

  #end(): void {
    this.#untold = 0
    const element = this.#open.pop()!
    if (this.#supplement > 0) {
      this.#supplement--
      return
    }
    const missing = requiredChildren
      .get(element.name)
      ?.find((name) => !element.children.some((child) => child.name === name))
    if (missing !== undefined) throw this.#bad(`${element.name} has no ${missing}, which the schema requires`)
    const parent = this.#open.at(-1)
    parent?.children.push(element)
    this.#listener.closed(element, parent)
    if (element.name === 'Ntry') {
      this.#checkEntry()
      this.#entryStart = null
    }
    if (parent?.children.at(-1) === element) parent.weight += element.weight
    else this.#held -= element.weight
  }

  #addText(text: string): void {
    this.#untold = 0
    const element = this.#open.at(-1)
    if (!element || element.children.length > 0 || text.trim() === '') return
    if (element.text.length + text.length > textMax)
      throw this.#bad(`a text has more than ${textMax} characters`)
    element.text += text
    if (this.#supplement > 0) return
    element.weight += text.length
    this.#hold(text.length)
  }
}
