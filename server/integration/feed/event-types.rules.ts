/** Which types of events a filter may name, and what to say of others. */
import { eventFilters } from '../../../contract/platform/event-types.ts'
import { editDistance } from '../../../core/text/edit-distance.ts'

const known: ReadonlySet<string> = new Set(eventFilters)
/** No type is longer; of more than this nothing is compared or repeated. */
const longest = 50
const nearestMax = 3
const toldMax = 5

/** What is wrong with the types of a filter, for its member; undefined when there are events of each. */
export function faultOfTypes(types: readonly string[]): string | undefined {
  const unknown = [...new Set(types)].filter((type) => !known.has(type))
  if (unknown.length === 0) return undefined
  const told = unknown.slice(0, toldMax).map(tell)
  const more = unknown.length > toldMax ? [`nor are ${unknown.length - toldMax} more`] : []
  return `must name types of events: ${[...told, ...more].join('; ')}.`
}

function tell(type: string): string {
  if (type.length > longest) return `${type.slice(0, longest)}… is none`
  const [entity = ''] = type.split('.')
  const ofEntity = eventFilters.filter((filter) => filter.startsWith(`${entity}.`))
  const near = nearestOf(type)
  const those = near.length > 0 ? near : ofEntity.length > 0 ? ofEntity : wholeOnes
  return `${type} is none, ${near.length > 0 ? 'perhaps' : 'there are'} ${those.join(', ')}`
}

const wholeOnes = eventFilters.filter((filter) => filter.endsWith('.*'))

/** Those that it may be a slip of: a fifth of its letters at most, or two, the nearest first. */
const nearestOf = (type: string): string[] =>
  eventFilters
    .map((filter) => ({ filter, distance: editDistance(type, filter) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(type.length / 5)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, nearestMax)
    .map(({ filter }) => filter)
