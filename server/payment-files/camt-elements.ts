/**
 * Reads the XML of a camt file element by element: well-formed, one of our namespaces throughout, in the order of the
 * schema, with what it requires, and without a document type, so that there are no entities but the five of XML itself.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { BadPaymentFile } from './bank-entry.ts'
import { namespacePattern, orderedChildren, requiredChildren, type Element } from './camt-shape.ts'

const depthMax = 40
const textMax = 10_000

/** What is told as it comes. A listener may take an element away from its parent, so that it is not kept. */
export interface ElementListener {
  opened(namespace: string): void
  closed(element: Element, parent: Element | undefined): void
}

export class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #listener: ElementListener
  readonly #open: Element[] = []
  #namespace: string | null = null
  /** How deep the elements are nested in what a bank adds of its own, which may be of any namespace and shape. */
  #supplement = 0

  constructor(listener: ElementListener) {
    this.#listener = listener
    const parser = this.#parser
    parser.on('doctype', () => {
      throw this.#bad(
        'the file has a document type declaration (DOCTYPE), which a bank file never has. It is refused',
      )
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
    this.#parser.write(text)
  }

  end(): void {
    const open = this.#open.at(-1)
    if (open) throw new BadPaymentFile(`The file ends within ${open.name}: it is truncated. Fetch it again.`)
    this.#parser.close()
    if (this.#namespace === null) throw new BadPaymentFile('The file has no Document: it is empty.')
  }

  #bad(message: string): BadPaymentFile {
    return new BadPaymentFile(`Line ${this.#parser.line}: ${message}.`)
  }

  #start({ local, uri, attributes }: SaxesTagNS): void {
    if (this.#namespace === null) this.#begin(local, uri)
    const parent = this.#open.at(-1)
    if (this.#open.length >= depthMax) throw this.#bad(`elements are nested deeper than ${depthMax}`)
    if (this.#supplement === 0) {
      if (uri !== this.#namespace) throw this.#bad('an element is of another namespace than the document')
      if (parent) this.#place(parent, local)
    }
    if (this.#supplement > 0 || local === 'SplmtryData') this.#supplement++
    const currency = attributes['Ccy']?.value ?? null
    this.#open.push({ name: local, currency, text: '', children: [], reached: 0, line: this.#parser.line })
  }

  #begin(name: string, namespace: string): void {
    if (name !== 'Document' || !namespacePattern.test(namespace))
      throw this.#bad(
        'the file must be a Document of ISO 20022 in the namespace urn:iso:std:iso:20022:tech:xsd:camt.053.001.xx or camt.054.001.xx, version 02 to 13',
      )
    this.#namespace = namespace
    this.#listener.opened(namespace)
  }

  /** That an element may stand here, and not before what has come already. */
  #place(parent: Element, name: string): void {
    const order = orderedChildren.get(parent.name)
    if (!order) return
    const place = order.indexOf(name)
    if (place < 0) throw this.#bad(`the schema knows no such element in ${parent.name}`)
    if (place < parent.reached)
      throw this.#bad(`${name} stands after ${order[parent.reached]!}; the schema has it before`)
    parent.reached = place
  }

  #end(): void {
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
  }

  #addText(text: string): void {
    const element = this.#open.at(-1)
    if (!element || element.children.length > 0 || text.trim() === '') return
    if (element.text.length + text.length > textMax)
      throw this.#bad(`a text has more than ${textMax} characters`)
    element.text += text
  }
}
