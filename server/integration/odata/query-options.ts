/** Reads the query options of /odata. What is outside the Minimal Conformance is refused with 501 by its name. */
import { isGuid } from '../../../core/text/guid.ts'
import { WrongPosition, type Position } from '../../platform/database/lists/keyset-page.ts'
import { suggestProperties, type Properties, type Property } from '../../platform/odata/properties.ts'
import { badOption, notImplemented } from './odata-failure.ts'

export interface QueryOptions {
  $filter?: string
  $orderby?: string
  /** The selected members; undefined for all. */
  select?: Property[]
  top?: number
  skip: number
  count: boolean
  after?: Position
}

export type RawOptions = Readonly<Record<string, string>>

const ofCollections = ['$filter', '$orderby', '$select', '$top', '$skip', '$count', '$skiptoken', '$format']
export const ofEntities = ['$select', '$format']
export const ofCounts = ['$filter', '$format']

/** Throws for an option that is given twice, unknown to OData, or known to it and not supported here. */
export function checkOptions(query: Record<string, unknown>, supported = ofCollections): RawOptions {
  for (const [name, value] of Object.entries(query)) {
    if (name.startsWith('@'))
      throw notImplemented(
        name.slice(0, 50),
        'Parameter aliases are not supported. Write the value in place.',
      )
    if (!name.startsWith('$')) continue
    if (!supported.includes(name))
      throw notImplemented(
        name.slice(0, 50),
        `The query option ${name.slice(0, 50)} is not supported here. Supported are ${supported.join(', ')}.`,
      )
    if (typeof value !== 'string') throw badOption(name, 'is given more than once. Give it once.')
    if (value.includes('\0')) throw badOption(name, 'has a NUL character. Remove it.')
  }
  const options = query as RawOptions
  const format = options['$format']
  if (format !== undefined && !/^(json|application\/json(;.*)?)$/i.test(format))
    throw notImplemented('$format', 'The only format is json.')
  return options
}

export function readOptions(raw: RawOptions, properties: Properties): QueryOptions {
  const { $filter, $orderby, $select, $skiptoken, $top, $skip, $count } = raw as Partial<RawOptions>
  return {
    ...($filter !== undefined && { $filter }),
    ...($orderby !== undefined && { $orderby }),
    ...($select !== undefined && { select: readSelect($select, properties) }),
    ...($top !== undefined && { top: readWhole('$top', $top) }),
    skip: $skip === undefined ? 0 : readWhole('$skip', $skip),
    count: $count !== undefined && readFlag($count),
    ...($skiptoken !== undefined && { after: readToken($skiptoken, $orderby) }),
  }
}

const wholeMax = 2_147_483_647

function readWhole(name: string, text: string): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Infinity
  if (value > wholeMax) throw badOption(name, `must be a whole number from 0 to ${wholeMax}.`)
  return value
}

function readFlag(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw badOption('$count', 'must be true or false.')
  return text === 'true'
}

function readSelect(text: string, properties: Properties): Property[] {
  const selected = text.split(',').flatMap((item) => {
    const name = item.trim()
    if (name === '*') return [...properties.values()]
    if (name.includes('/') || name.includes('('))
      throw notImplemented('$select', 'Paths and nested options are not supported in $select.')
    const property = properties.get(name.toLowerCase())
    if (property) return [property]
    throw badOption('$select', `names a member that is not there. ${suggestProperties(properties, name)}.`)
  })
  return [...new Set(selected)]
}

/** The token of a next link: the order that it belongs to and the position in it. */
export const writeToken = ({ values, key }: Position, $orderby = ''): string =>
  Buffer.from(JSON.stringify([$orderby, key, ...values])).toString('base64url')

const wrongToken = () =>
  badOption('$skiptoken', 'is not of a next link of this list. Begin with the first page.')

export function readToken(text: string, $orderby = ''): Position {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw wrongToken()
  }
  if (!Array.isArray(parts) || parts.some((part) => part !== null && typeof part !== 'string'))
    throw wrongToken()
  const [order, key, ...values] = parts as (string | null)[]
  if (order !== $orderby || typeof key !== 'string' || !isGuid(key)) throw wrongToken()
  if (values.some((value) => value?.includes('\0'))) throw wrongToken()
  return { key, values }
}

/** The values of a token that somebody changed may not be of the columns' types. */
export const isWrongToken = (error: unknown): boolean =>
  error instanceof WrongPosition || String((error as { code?: unknown }).code ?? '').startsWith('22')
export { wrongToken }

/** The query of the next page: the same one from a position on. The count is given once, with the first page. */
export function writeNextQuery(raw: RawOptions, token: string, left: number | undefined): string {
  const {
    $skiptoken: _token,
    $skip: _skip,
    $count: _count,
    $top: _top,
    ...same
  } = raw as Record<string, string>
  const next = { ...same, ...(left !== undefined && { $top: String(left) }), $skiptoken: token }
  return Object.entries(next)
    .map(([name, value]) => `${encodeURIComponent(name).replace('%24', '$')}=${encodeURIComponent(value)}`)
    .join('&')
}
