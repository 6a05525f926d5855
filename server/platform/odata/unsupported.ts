import { ODataError } from './odata-error.ts'
import { closeNames, suggestProperties, type Properties } from './properties.ts'
import { describeToken, quoteWord, type Token } from './tokens.ts'
import { functions } from './tree.ts'

const arithmetic = 'Arithmetic is not supported; compare the property with a value'
const lambda = 'any and all are not supported; name a property of the list item itself'
const typeFunctions = 'cast and isof are not supported; leave the type away'

/** Words of OData and similar languages that this subset refuses in place of an operator. */
const refusedOperators: Record<string, string> = {
  add: arithmetic,
  sub: arithmetic,
  mul: arithmetic,
  div: arithmetic,
  divby: arithmetic,
  mod: arithmetic,
  has: 'has is not supported; write eq or in',
  like: "Write contains(…,'…'), startswith(…,'…') or endswith(…,'…')",
  between: 'Write ge and le, joined by and',
  is: 'Write eq',
  asc: 'The order belongs into $orderby',
  desc: 'The order belongs into $orderby',
  not: 'not stands before the whole condition, as in not (… eq …)',
}

const refusedFunctions: Record<string, string> = {
  any: lambda,
  all: lambda,
  has: 'has is not supported; write eq or in',
  cast: typeFunctions,
  isof: typeFunctions,
  case: 'case is not supported; join conditions by and and or',
  matchespattern: 'Patterns are not supported; write contains, startswith or endswith',
  substringof: "Write contains with the property first, as in contains(…,'…')",
  substring: 'substring is not supported; write contains, startswith or endswith',
  like: 'Write contains, startswith or endswith',
  upper: 'Write toupper',
  lower: 'Write tolower',
}

/** The error for a token where an operator, or the end, was expected. */
export function operatorError(token: Token, closes: boolean): ODataError {
  const word = token.text.toLowerCase()
  if (token.kind === 'word' && Object.hasOwn(refusedOperators, word)) {
    return new ODataError('$filter', token.at, describeToken(token), refusedOperators[word]!)
  }
  if (token.kind === ')') {
    return new ODataError(
      '$filter',
      token.at,
      "')' stands here and closes nothing",
      'Leave it out, or open it before',
    )
  }
  const close = token.kind === 'word' ? closeNames(word, comparisons)[0] : undefined
  const right = close ? `Did you mean ${close}` : 'Write an operator: eq, ne, gt, ge, lt, le, in, and, or'
  return new ODataError(
    '$filter',
    token.at,
    describeToken(token),
    closes ? `${right}; or close with )` : right,
  )
}

const comparisons = ['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'and', 'or']

/** The error for an unknown function. */
export function functionError({ text, at }: Token): ODataError {
  const word = text.toLowerCase()
  const names = Object.keys(functions)
  const found = `${quoteWord(text)} is not a function of this subset`
  if (word.startsWith('geo.')) return new ODataError('$filter', at, found, 'Geography is not supported')
  if (Object.hasOwn(refusedFunctions, word))
    return new ODataError('$filter', at, found, refusedFunctions[word]!)
  const close = closeNames(word, names)
  const right =
    close.length > 0 ? `Did you mean ${close.join(', ')}` : `The functions are ${names.join(', ')}`
  return new ODataError('$filter', at, found, right)
}

/** The error for an unknown property. */
export function propertyError(token: Token, properties: Properties): ODataError {
  const name = token.text.toLowerCase()
  const found = `${quoteWord(token.text)} is not a property`
  return new ODataError('$filter', token.at, found, propertyHint(name, properties))
}

function propertyHint(name: string, properties: Properties): string {
  if (name === 'inf' || name === 'nan') return 'Write a number; INF and NaN are not supported'
  if (name.includes('.')) return 'Qualified names are not supported; name a property of the list item'
  if (Object.hasOwn(functions, name)) return `A function has its parentheses right after its name: ${name}(…)`
  return `${suggestProperties(properties, name)}. A text stands in quotes`
}

/** The error for an operator, or the end, where a value was expected. */
export function missingOperand(token: Token): ODataError {
  const right = 'Write a property, a value, a function or a condition in parentheses here'
  return new ODataError('$filter', token.at, describeToken(token), right)
}
