import { ODataError } from './odata-error.ts'
import { columnExpression, suggestProperties, type Properties, type Property } from './properties.ts'
import { describeToken, quoteWord, readTokens, type Token } from './tokens.ts'

export interface OrderTerm {
  property: Property
  descending: boolean
}

export interface Order {
  terms: OrderTerm[]
  /** The key's direction is that of the last term, so that one index over (term, key) serves both directions. */
  keyDescending: boolean
  /** The whole ORDER BY list with the key at its end. */
  text: string
  /** The exact opposite, for reading from the other end. */
  reversedText: string
}

const maxTerms = 8

/**
 * Compiles `$orderby` to an ORDER BY list that ends in the primary key. Without `source` it is the key alone.
 *
 * @param options.collation the SQL name of the collation of texts, quoted where needed.
 * @param options.key the primary key's SQL expression.
 * @throws ODataError
 */
export function compileOrder(
  properties: Properties,
  source: string | undefined,
  options: { collation: string; key: string },
): Order {
  const terms = source === undefined ? [] : distinctTerms(parseOrder(properties, source), options.key)
  const keyDescending = terms.at(-1)?.descending ?? false
  const isKeyed = terms.at(-1)?.property.column === options.key
  const write = (reversed: boolean) => {
    const items = terms.map((term) => writeTerm(term, reversed, options))
    if (!isKeyed) items.push(writeKey(options.key, keyDescending !== reversed))
    return items.join(', ')
  }
  return { terms, keyDescending, text: write(false), reversedText: write(true) }
}

/** Writes the order for a query that has the values of the terms in columns of its own, one for each term. */
export function writeOrderBy(
  { terms, keyDescending }: Order,
  { columns, key }: { columns: readonly string[]; key: string },
): string {
  const items = terms.map(({ descending }, index) => `${columns[index]} ${directionText(descending)}`)
  return [...items, writeKey(key, keyDescending)].join(', ')
}

/** The order in which the rows come from the other end. */
export const reverseOrder = ({ terms, keyDescending, text, reversedText }: Order): Order => ({
  terms: terms.map(({ property, descending }) => ({ property, descending: !descending })),
  keyDescending: !keyDescending,
  text: reversedText,
  reversedText: text,
})

/** Drops terms without effect: repeated properties, and everything after the key. */
function distinctTerms(terms: OrderTerm[], key: string): OrderTerm[] {
  const keyAt = terms.findIndex(({ property }) => property.column === key)
  return terms
    .slice(0, keyAt < 0 ? terms.length : keyAt + 1)
    .filter((term, index) => terms.findIndex(({ property }) => property === term.property) === index)
}

// Columns that are NOT NULL get NULLS FIRST or LAST too: PostgreSQL uses the index only for an ORDER BY that says the same.
function writeTerm(
  { property, descending }: OrderTerm,
  reversed: boolean,
  options: { collation: string; key: string },
) {
  if (property.column === options.key) return writeKey(options.key, descending !== reversed)
  const collate = property.type === 'string' ? ` COLLATE ${options.collation}` : ''
  return `${columnExpression(property)}${collate} ${directionText(descending !== reversed)}`
}

const directionText = (descending: boolean) => (descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST')

const writeKey = (key: string, descending: boolean) => `${key} ${descending ? 'DESC' : 'ASC'}`

function parseOrder(properties: Properties, source: string): OrderTerm[] {
  const tokens = readTokens('$orderby', source)
  const terms: OrderTerm[] = []
  let index = 0
  for (;;) {
    const name = tokens[index]!
    if (terms.length === maxTerms) throw fail(name, `At most ${maxTerms} properties are taken`)
    terms.push({ property: findProperty(properties, name, tokens[index + 1]!), descending: false })
    index++
    const direction = tokens[index]!.kind === 'word' ? tokens[index]!.text.toLowerCase() : ''
    if (direction === 'asc' || direction === 'desc') {
      terms.at(-1)!.descending = direction === 'desc'
      index++
    }
    const mark = tokens[index]!
    if (mark.kind === 'end') return terms
    if (mark.kind !== ',') throw fail(mark, 'Write asc, desc, or , before the next property')
    index++
  }
}

function findProperty(properties: Properties, name: Token, next: Token): Property {
  if (name.kind !== 'word') throw fail(name, 'Write the name of a property, as in fullName desc')
  const property = properties.get(name.text.toLowerCase())
  if (property) return property
  if (next.kind === '(') throw fail(name, 'Functions are not supported here; name a property')
  const found = `${quoteWord(name.text)} is not a property`
  throw new ODataError('$orderby', name.at, found, suggestProperties(properties, name.text))
}

const fail = (token: Token, right: string) =>
  new ODataError('$orderby', token.at, describeToken(token), right)
