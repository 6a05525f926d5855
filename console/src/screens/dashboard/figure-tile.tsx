import { Group, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TrendLine } from '../../charts/trend-line.tsx'
import { longMonth } from './months.ts'

export interface Tile {
  title: string
  /** One value a whole month, the newest last. Null where there was nothing to measure. */
  values: readonly (number | null)[]
  format: (value: number) => string
  to: string
  /** A line below the figure: what it is, and what belongs to it. */
  about?: string
}

/** A figure of the last whole month with its trend and the month before: a link to the list behind it. */
export function FigureTile({
  tile: { title, values, format, to, about },
  months,
}: {
  tile: Tile
  months: readonly string[]
}) {
  const { t } = useTranslation()
  const [before, latest] = [values.at(-2) ?? null, values.at(-1) ?? null]
  const compared =
    before === null
      ? t('dashboard.tileNothingBefore', { month: longMonth(months.at(-2)!) })
      : t('dashboard.tileBefore', { month: longMonth(months.at(-2)!), figure: format(before) })
  return (
    <Paper component={Link} to={to} className="figure-tile" withBorder p="md">
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <Group justify="space-between" align="flex-end" gap="xs">
        <Text fz={24} fw={600} className="figure-tile-value">
          {latest === null ? '–' : format(latest)}
        </Text>
        <TrendLine values={values} />
      </Group>
      {about !== undefined && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {longMonth(months.at(-1)!)} · {compared}
      </Text>
    </Paper>
  )
}
