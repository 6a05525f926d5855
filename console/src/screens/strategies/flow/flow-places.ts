/** A strategy as a flow: the places where a case can stand, in reading order, each with the steps that begin there. */
import type { StrategyStepInput } from '../../../../../contract/collection/strategies.ts'

export interface FlowStep {
  /** Its position in the strategy. */
  index: number
  step: StrategyStepInput
  /** Keys of the places to which it leads. Empty when the case stays where it is. */
  leadsTo: string[]
}

export interface FlowPlace {
  key: string
  status: string
  /** Null for any. */
  subStatus: string | null
  /** True if no step leads here. */
  isEntry: boolean
  steps: FlowStep[]
}

type Place = Pick<FlowPlace, 'status' | 'subStatus'>

const placeKey = ({ status, subStatus }: Place): string => `${status}/${subStatus ?? '*'}`

/** Where a case stands after a step: the place of its last change of status. */
function findTarget({ actions }: StrategyStepInput): Place | null {
  const last = actions.findLast(({ kind }) => kind === 'status')
  return last ? { status: String(last['status']), subStatus: String(last['subStatus']) } : null
}

/** The places in an order in which lines go down, as far as there is one. */
export function listPlaces(steps: readonly StrategyStepInput[]): FlowPlace[] {
  const places = new Map<string, FlowPlace>()
  const add = (place: Place): FlowPlace => {
    const key = placeKey(place)
    const found = places.get(key) ?? { ...place, key, isEntry: true, steps: [] }
    places.set(key, found)
    return found
  }
  for (const { status, subStatus } of steps) add({ status, subStatus: subStatus ?? null })
  const begun = new Set(places.keys())
  for (const [index, step] of steps.entries()) {
    const from = add({ status: step.status, subStatus: step.subStatus ?? null })
    const target = findTarget(step)
    const leadsTo = target === null ? [] : findPlaces(target, begun).filter((key) => key !== from.key)
    if (target !== null && leadsTo.length > 0 && !places.has(leadsTo[0]!)) add(target)
    for (const key of leadsTo) places.get(key)!.isEntry = false
    from.steps.push({ index, step, leadsTo })
  }
  return sortDown([...places.values()])
}

/** The places with steps that a case at the target has; without one the target itself, where the flow ends. */
function findPlaces(target: Place, begun: ReadonlySet<string>): string[] {
  const found = [placeKey(target), placeKey({ ...target, subStatus: null })].filter((key) => begun.has(key))
  return found.length > 0 ? found : [placeKey(target)]
}

/** Each place before those to which it leads; of a circle the place that comes first in the strategy. */
function sortDown(places: readonly FlowPlace[]): FlowPlace[] {
  const byKey = new Map(places.map((place) => [place.key, place]))
  const seen = new Set<FlowPlace>()
  const sorted: FlowPlace[] = []
  const visit = (place: FlowPlace): void => {
    if (seen.has(place)) return
    seen.add(place)
    for (const key of place.steps.flatMap(({ leadsTo }) => leadsTo).toReversed()) visit(byKey.get(key)!)
    sorted.unshift(place)
  }
  const [others, entries] = [
    places.filter(({ isEntry }) => !isEntry),
    places.filter(({ isEntry }) => isEntry),
  ]
  // What only a circle leads to has no entry.
  for (const place of [...entries.toReversed(), ...others]) visit(place)
  return sorted
}
