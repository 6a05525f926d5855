/** Requests that nobody chose: each list by each member that filters and sorts it, with values drawn from its rows. */
import { operations } from '../../contract/api.ts'
import { filterableMembers } from '../../contract/openapi/openapi.ts'
import type { Operation } from '../../contract/platform/operation.ts'
import { draw as drawFrom, type Random } from '../drawn/random.ts'

/** `kind` is the same on databases of all sizes. */
export interface DrawnRequest {
  kind: string
  path: string
}

type Row = Record<string, unknown>
type Value = string | number | boolean

export const listOperations: readonly Operation[] = (operations as readonly Operation[]).filter(
  ({ method, query, path }) =>
    method === 'GET' &&
    !path.includes(':') &&
    Object.hasOwn((query as { properties?: object })?.properties ?? {}, '$filter'),
)

export const listPath = (path: string, query: Record<string, string | number>): string =>
  `${path}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`

/** `sample` are rows of the list, drawn at random. */
export function* drawRequests(
  { name, path, response }: Operation,
  { sample, total, random }: { sample: readonly Row[]; total: number; random: Random },
): Generator<DrawnRequest> {
  const draw = <T>(items: readonly T[]): T => drawFrom(random, items)
  const request = (kind: string, query: Record<string, string | number>): DrawnRequest => ({
    kind: `${name} ${kind}`,
    path: listPath(path, query),
  })
  const members = filterableMembers(response as object)
  yield request('first page', {})
  yield request('last page', { $skip: Math.max(0, total - 25) })
  for (const member of members)
    for (const direction of ['asc', 'desc'])
      yield request(`by ${member} ${direction}`, { $orderby: `${member} ${direction}` })
  const known = members.filter((member) => sample.some((row) => isValue(row[member])))
  const drawValue = (member: string) => draw(sample.map((row) => row[member]).filter(isValue))
  for (const member of known)
    for (const [kind, filter] of drawFilters(member, drawValue(member)))
      yield request(kind, { $filter: filter, $orderby: draw(members) })
  for (let pair = 0; pair < known.length; pair++) {
    const [one, other] = [draw(known), draw(known)]
    const both = [one, other].map((member) => draw(drawFilters(member, drawValue(member))))
    yield request(both.map(([kind]) => kind).join(' and '), {
      $filter: both.map(([, filter]) => filter).join(' and '),
    })
  }
}

const isValue = (value: unknown): value is Value =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== ''

function drawFilters(member: string, value: Value): [kind: string, filter: string][] {
  const literal = typeof value === 'string' && !isDate(value) ? quote(value) : String(value)
  const equal: [string, string] = [`${member} eq`, `${member} eq ${literal}`]
  if (typeof value === 'boolean') return [equal]
  if (typeof value === 'number' || isDate(value))
    return [equal, [`${member} ge`, `${member} ge ${literal}`], [`${member} lt`, `${member} lt ${literal}`]]
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(value)) return [equal]
  return [
    equal,
    [`startswith ${member}`, `startswith(${member},${quote(value.slice(0, 3))})`],
    [`contains ${member}`, `contains(${member},${quote(value.slice(1, 5))})`],
  ]
}

const isDate = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(T|$)/.test(value)
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
