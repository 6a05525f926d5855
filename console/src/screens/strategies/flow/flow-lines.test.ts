import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawLines, gutterWidth, type Box, type PlaceBoxes } from './flow-lines.ts'

const gutter = gutterWidth(2)
const box = (column: number, top: number, height = 80): Box => ({
  left: gutter + column * 220,
  top,
  bottom: top + height,
})

/** Two branches side by side on a wide screen, or below each other on a telephone. */
const branches = (isNarrow: boolean): PlaceBoxes[] => {
  const second = isNarrow ? box(0, 180) : box(1, 60)
  const last = isNarrow ? 300 : 180
  return [
    {
      key: 'start',
      box: box(0, 0, 28),
      steps: [
        { index: 0, leadsTo: ['middle'], box: box(0, 60) },
        { index: 1, leadsTo: ['end'], box: second },
      ],
    },
    { key: 'middle', box: box(0, last, 28), steps: [{ index: 2, leadsTo: [], box: box(0, last + 60) }] },
    { key: 'end', box: box(0, last + 180, 28), steps: [] },
  ]
}

type Point = [number, number]
const readPoints = (path: string): Point[] =>
  path
    .slice(1)
    .split('L')
    .map((point) => point.split(' ').map(Number) as Point)

/** True if a level or upright line runs through the inside of a box. */
const crosses = ([[x1, y1], [x2, y2]]: [Point, Point], { left, top, bottom }: Box): boolean =>
  Math.max(x1, x2) > left &&
  Math.min(x1, x2) < left + 200 &&
  Math.max(y1, y2) > top &&
  Math.min(y1, y2) < bottom

for (const isNarrow of [false, true]) {
  test(`no line crosses a box ${isNarrow ? 'on a telephone' : 'on a wide screen'}, and each ends at its box`, () => {
    const places = branches(isNarrow)
    const boxes = places.flatMap(({ box: own, steps }) => [own, ...steps.map((step) => step.box)])
    const lines = drawLines(places)
    // A branch to each step, and a line to each place to which one leads.
    assert.equal(lines.length, 5)
    for (const { path } of lines) {
      const points = readPoints(path)
      for (const [at, point] of points.slice(1).entries()) {
        const [from, to] = [points[at]!, point]
        assert.ok(from[0] === to[0] || from[1] === to[1], `${path} goes level or upright`)
        assert.ok(!boxes.some((one) => crosses([from, to], one)), path)
      }
      assert.ok(
        points.every(([x]) => x > 0),
        path,
      )
    }
    const leading = lines.filter(({ isLeading }) => isLeading)
    assert.deepEqual(
      leading.map(({ path }) => readPoints(path).at(-1)![1]),
      [places[1]!.box.top, places[2]!.box.top],
    )
  })
}
