import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ticksUpTo } from './ticks.ts'

export interface ChartPart {
  /** The text in the legend. */
  name: string
  /** One of the colours in console.css. */
  colour: string
}
export interface ChartColumn {
  key: string
  label: string
  /** One value for each part. */
  values: readonly number[]
  /** The text shown on hover. */
  about: string
  /** The address of the list with the rows behind it, if there is one. */
  to?: string
}

interface StackedChartProps {
  parts: readonly ChartPart[]
  columns: readonly ChartColumn[]
  format: (value: number) => string
  /** True to set the parts of a column beside each other, for comparing them. */
  beside?: boolean
}

/**
 * Stacked columns, each a link to its rows. For mouse users alone: keyboard and screen-reader users have the same
 * figures and links in the table.
 */
export function StackedChart({ parts, columns, format, beside = false }: StackedChartProps) {
  const heights = columns.flatMap(({ values }) =>
    beside ? values : [values.reduce((sum, value) => sum + value, 0)],
  )
  const ticks = ticksUpTo(Math.max(1, ...heights))
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
                <span className="chart-bar" data-beside={beside || undefined}>
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
