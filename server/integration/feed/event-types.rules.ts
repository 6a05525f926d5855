/** Which event types a filter may name, and the message for unknown ones. */
import { eventFilters } from '../../../contract/platform/event-types.ts'
import { editDistance } from '../../../core/text/edit-distance.ts'

const known: ReadonlySet<string> = new Set(eventFilters)
/** No type is longer. Longer input is neither compared nor repeated in the message. */
const longest = 50
const nearestMax = 3
const listedMax = 5

/** Says what is wrong with the types of a filter; undefined when all are known. */
export function checkTypes(types: readonly string[]): string | undefined {
  const unknown = [...new Set(types)].filter((type) => !known.has(type))
  if (unknown.length === 0) return undefined
  const told = unknown.slice(0, listedMax).map(tell)
  const more = unknown.length > listedMax ? [`nor are ${unknown.length - listedMax} more`] : []
  return `must name types of events: ${[...told, ...more].join('; ')}.`
}

function tell(type: string): string {
  if (type.length > longest) return `${type.slice(0, longest)}… is none`
  const [entity = ''] = type.split('.')
  const ofEntity = eventFilters.filter((filter) => filter.startsWith(`${entity}.`))
  const near = findNearest(type)
  const those = near.length > 0 ? near : ofEntity.length > 0 ? ofEntity : allFilters
  return `${type} is none, ${near.length > 0 ? 'perhaps' : 'there are'} ${those.join(', ')}`
}

const allFilters = eventFilters.filter((filter) => filter.endsWith('.*'))

/** Likely corrections of a misspelt type: at most a fifth of its letters, or two, differ. Nearest first. */
const findNearest = (type: string): string[] =>
  eventFilters
    .map((filter) => ({ filter, distance: editDistance(type, filter) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(type.length / 5)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, nearestMax)
    .map(({ filter }) => filter)
