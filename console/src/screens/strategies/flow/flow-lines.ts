/** The lines of a flow between its measured boxes: through the gaps between rows and a gutter on the left, never across a box. */
export interface Box {
  left: number
  top: number
  bottom: number
}

export interface PlaceBoxes {
  key: string
  box: Box
  steps: readonly { index: number; leadsTo: readonly string[]; box: Box }[]
}

export interface FlowLine {
  /** The step from which or to which the line goes. */
  step: number
  path: string
  /** True if it ends at a place, with an arrow. */
  isLeading: boolean
}

/** Where lines leave and reach a box, from its left edge. */
const anchor = 22
/** The distance of level lines from the box above or below. */
const [afterBox, beforeBox] = [9, 11]
const [laneFirst, laneWidth] = [5, 7]

/** The width that the gutter needs for its lanes. */
export const gutterWidth = (lanes: number): number => laneFirst + (lanes + 1) * laneWidth + 4

type Point = readonly [x: number, y: number]
const draw = (points: readonly Point[]): string =>
  points.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
const round = (value: number): number => Math.round(value * 2) / 2

/** The places that need a lane: they are not reached by a line straight down. */
export function listLanes(
  places: readonly { key: string; steps: readonly { leadsTo: readonly string[] }[] }[],
): string[] {
  const reached = places.flatMap(({ steps }) => steps.flatMap(({ leadsTo }) => leadsTo))
  return places.map(({ key }) => key).filter((key) => reached.includes(key))
}

export function drawLines(places: readonly PlaceBoxes[]): FlowLine[] {
  const lanes = listLanes(places)
  const findLane = (key: string) => laneFirst + lanes.indexOf(key) * laneWidth
  const inner = laneFirst + lanes.length * laneWidth
  return places.flatMap((place, at) => {
    const next = places[at + 1]
    return place.steps.flatMap((step) => [
      drawBranch(place, step, inner),
      ...step.leadsTo.flatMap((key) => {
        const target = places.find((one) => one.key === key)
        if (!target) return []
        const isBelow = target === next && isInLastRow(place, step.box)
        const lane = isBelow ? null : findLane(key)
        return [{ step: step.index, path: drawLead(step.box, target.box, lane), isLeading: true }]
      }),
    ])
  })
}

const isInLastRow = ({ steps }: PlaceBoxes, box: Box): boolean =>
  steps.every((other) => other.box.top <= box.bottom)

/** From a place to a step below it: straight, or beside the rows in between. */
function drawBranch(
  { box: from, steps }: PlaceBoxes,
  step: PlaceBoxes['steps'][number],
  inner: number,
): FlowLine {
  const { box } = step
  const x = from.left + anchor
  const level = box.top - beforeBox
  const end: Point[] = [
    [box.left + anchor, level],
    [box.left + anchor, box.top],
  ]
  const isFirstRow = steps.every((other) => other.box.bottom >= box.top)
  const below = from.bottom + afterBox
  const start: Point[] = isFirstRow
    ? [
        [x, from.bottom],
        [x, level],
      ]
    : [
        [x, from.bottom],
        [x, below],
        [inner, below],
        [inner, level],
      ]
  return { step: step.index, path: draw([...start, ...end]), isLeading: false }
}

/** From a step to a place: straight down, or by the lane of the place. */
function drawLead(from: Box, to: Box, lane: number | null): string {
  const [start, end] = [from.left + anchor, to.left + anchor]
  const [below, above] = [from.bottom + afterBox, to.top - beforeBox]
  const around: Point[] =
    lane === null
      ? [[end, below]]
      : [
          [lane, below],
          [lane, above],
          [end, above],
        ]
  return draw([[start, from.bottom], [start, below], ...around, [end, to.top]])
}
