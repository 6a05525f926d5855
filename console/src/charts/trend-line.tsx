const [width, height] = [96, 28]
const edge = 2

/** A small line without axes: how a figure went. A month without a value interrupts it. The figures are beside it. */
export function TrendLine({ values }: { values: readonly (number | null)[] }) {
  const known = values.filter((value) => value !== null)
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)]
  const span = most - least || 1
  const step = (width - 2 * edge) / Math.max(1, values.length - 1)
  const points = values.map((value, at) =>
    value === null
      ? null
      : ([edge + at * step, height - edge - ((value - least) / span) * (height - 2 * edge)] as const),
  )
  const path = points
    .map((point, at) => point && `${points[at - 1] ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}`)
    .filter(Boolean)
    .join('')
  const end = points.at(-1)
  return (
    <svg
      className="trend-line"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path d={path} />
      {end && <circle cx={end[0]} cy={end[1]} r={2.5} />}
    </svg>
  )
}
