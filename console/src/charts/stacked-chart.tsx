import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

export interface ChartPart {
  /** What the legend says. */
  name: string
  /** Of the colours in console.css. */
  colour: string
}
export interface ChartColumn {
  key: string
  label: string
  /** One for each part. */
  values: readonly number[]
  /** Said when it is pointed at. */
  about: string
  /** The rows behind it, where a list has them. */
  to?: string
}

interface StackedChartProps {
  parts: readonly ChartPart[]
  columns: readonly ChartColumn[]
  format: (value: number) => string
}

/** Ticks of a round step, two to five of them. */
function ticksUpTo(most: number): number[] {
  const raw = most / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(raw, 1e-9)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw) ?? power
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step)
}

/**
 * Columns of parts one upon the other, each leading to its rows. For the eye and the pointer alone: whoever reads by ear
 * or goes by the keyboard has the same figures and links in the table behind it.
 */
export function StackedChart({ parts, columns, format }: StackedChartProps) {
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const ticks = ticksUpTo(Math.max(1, ...sums))
  const top = ticks.at(-1)!
  return (
    <div aria-hidden="true">
      <div className="chart">
        <div className="chart-ticks">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(tick / top) * 100}%` }}>
              {format(tick)}
            </span>
          ))}
        </div>
        <div className="chart-columns">
          <div className="chart-lines">
            {ticks.map((tick) => (
              <hr key={tick} style={{ bottom: `${(tick / top) * 100}%` }} />
            ))}
          </div>
          {columns.map(({ key, label, values, about, to }) => {
            const bar = (
              <>
                <span className="chart-bar">
                  {parts.map(({ name, colour }, index) => (
                    <span
                      key={name}
                      className={`chart-part ${colour}`}
                      style={{ height: `${((values[index] ?? 0) / top) * 100}%` }}
                    />
                  ))}
                </span>
                <span className="chart-label">{label}</span>
              </>
            )
            return to === undefined ? (
              <span key={key} title={about} className="chart-column">
                {bar}
              </span>
            ) : (
              <Link
                key={key}
                to={to as '/'}
                tabIndex={-1}
                title={about}
                className="chart-column"
                preload={false}
              >
                {bar}
              </Link>
            )
          })}
        </div>
      </div>
      {parts.length > 1 && (
        <Group gap="lg" mt="xs" style={{ rowGap: 4 }}>
          {parts.map(({ name, colour }) => (
            <Group key={name} gap={6}>
              <span className={`chart-key ${colour}`} />
              <Text size="xs">{name}</Text>
            </Group>
          ))}
        </Group>
      )}
    </div>
  )
}
