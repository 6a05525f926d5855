interface Interval {
  key: string
  estimate: number
  from: number
  to: number
}

interface IntervalChartProps {
  intervals: readonly Interval[]
  /** The ends of the axis are as far from zero as this. */
  most: number
  format: (value: number) => string
}

const anchors = ['start', 'middle', 'middle', 'middle', 'end'] as const
const [width, rowHeight, axisHeight, edge] = [480, 28, 22, 12]

/** Intervals beside each other, around zero. The sentences beside it have the same figures. */
export function IntervalChart({ intervals, most, format }: IntervalChartProps) {
  const height = intervals.length * rowHeight + axisHeight
  const place = (value: number) => width / 2 + (value / most) * (width / 2 - edge)
  const bottom = intervals.length * rowHeight
  return (
    <svg className="interval-chart" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {[-most, -most / 2, 0, most / 2, most].map((tick, at) => (
        <g key={tick} className={tick === 0 ? 'interval-zero' : 'interval-tick'}>
          <line x1={place(tick)} x2={place(tick)} y1={0} y2={bottom} />
          <text x={place(tick)} y={height - 6} textAnchor={anchors[at]}>
            {format(tick)}
          </text>
        </g>
      ))}
      {intervals.map(({ key, estimate, from, to }, row) => {
        const y = (row + 0.5) * rowHeight
        return (
          <g key={key} className={from > 0 ? 'interval-more' : to < 0 ? 'interval-less' : 'interval-unclear'}>
            <line x1={place(from)} x2={place(to)} y1={y} y2={y} />
            <circle cx={place(estimate)} cy={y} r={5} />
          </g>
        )
      })}
    </svg>
  )
}
