import { Anchor, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Simulation } from '../../../../contract/collection/strategy-simulation.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { FigureTable } from '../../charts/figure-table.tsx'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { formatShort } from '../dashboard/months.ts'
import {
  addUp,
  isMoney,
  listCurrencies,
  spanWeeks,
  weekFigures,
  type WeekFigure,
  type WeekSpan,
} from './simulated-weeks.ts'

interface SimulationWeeksProps {
  result: Simulation
  /** The same with the version in force, when a draft is compared with it. */
  inForce: Simulation | undefined
}

/** Money, letters and cost of a simulation: in sum, and by week as a chart and a table. Nothing when nothing happens. */
export function SimulationWeeks({ result, inForce }: SimulationWeeksProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string>()
  const simulations = inForce ? [inForce, result] : [result]
  const currencies = listCurrencies(simulations)
  const currency = currencies.find((one) => one === chosen) ?? currencies[0]
  if (currency === undefined) return null
  const choice = (
    <Select
      aria-label={t('field.currencyCode')}
      w={100}
      data={currencies}
      value={currency}
      allowDeselect={false}
      onChange={(next) => setChosen(next!)}
    />
  )
  return (
    <Weeks
      key={currency}
      simulations={simulations}
      currency={currency}
      actions={currencies.length > 1 ? choice : undefined}
    />
  )
}

interface WeeksProps {
  /** The version in force before a draft. */
  simulations: readonly Simulation[]
  currency: string
  actions: ReactNode
}

function Weeks({ simulations, currency, actions }: WeeksProps) {
  const { t } = useTranslation()
  const names = useFigureNames(currency)
  const hasMoney = spanWeeks(simulations, currency, 'collected').some(({ values }) => values.some(Boolean))
  const [figure, setFigure] = useState<WeekFigure>(hasMoney ? 'collected' : 'letters')
  const spans = spanWeeks(simulations, currency, figure)
  const isCompared = simulations.length > 1
  return (
    <ChartPanel
      title={t('strategy.weeks')}
      about={t('strategy.weeksAbout')}
      actions={actions}
      error={null}
      loading={false}
      empty={false}
      chart={
        <Stack gap="sm">
          <Sums simulations={simulations} currency={currency} names={names} />
          <Basis simulation={simulations.at(-1)!} currency={currency} />
          <div className="week-figures">
            <SegmentedControl
              aria-label={t('strategy.figure')}
              size="xs"
              data={weekFigures.map((value) => ({ value, label: names[value].label }))}
              value={figure}
              onChange={(next) => setFigure(weekFigures.find((one) => one === next)!)}
            />
          </div>
          <WeekChart spans={spans} format={names[figure].format} isCompared={isCompared} />
        </Stack>
      }
      table={<WeekTable spans={spans} name={names[figure]} isCompared={isCompared} />}
    />
  )
}

interface FigureName {
  label: string
  format: (value: number) => string
}

function useFigureNames(currency: string): Record<WeekFigure, FigureName> {
  const { t } = useTranslation()
  const labels: Record<WeekFigure, string> = {
    collected: t('dashboard.tileCollected'),
    fees: t('rates.fees'),
    letters: t('dashboard.letters'),
    emails: t('dashboard.emails'),
    tasks: t('strategy.tasks'),
    cost: t('dashboard.cost'),
  }
  const name = (figure: WeekFigure): FigureName => ({
    label: labels[figure],
    format: (value) =>
      isMoney(figure) ? formatMoney(value, currency) : formatNumber(value, value < 100 ? 1 : 0),
  })
  return Object.fromEntries(weekFigures.map((figure) => [figure, name(figure)])) as Record<
    WeekFigure,
    FigureName
  >
}

const withSign = (value: number, format: (value: number) => string): string =>
  value > 0 ? `+${format(value)}` : format(value)

function Sums({
  simulations,
  currency,
  names,
}: {
  simulations: readonly Simulation[]
  currency: string
  names: Record<WeekFigure, FigureName>
}) {
  const { t } = useTranslation()
  const isCompared = simulations.length > 1
  const columns = simulations.map(({ weeks }) => weeks.filter((week) => week.currency === currency))
  const priceless = addUp(columns.at(-1)!, 'unpriced')
  const heads = isCompared
    ? [t('strategy.figure'), t('strategy.inForce'), t('strategy.draft'), t('strategy.difference')]
    : [t('strategy.figure'), t('strategy.total')]
  return (
    <>
      <TableFrame title={t('strategy.sums')}>
        <FigureTable
          heads={heads}
          rows={weekFigures.map((figure) => {
            const { label, format } = names[figure]
            const sums = columns.map((own) => addUp(own, figure))
            const difference = isCompared ? [withSign(sums[1]! - sums[0]!, format)] : []
            return { key: figure, name: label, figures: [...sums.map(format), ...difference] }
          })}
        />
      </TableFrame>
      {priceless > 0 && (
        <Text size="xs" c="dimmed">
          {t('strategy.unpriced', { count: Math.ceil(priceless), letters: formatNumber(priceless, 0) })}{' '}
          <Anchor size="xs" underline="always" renderRoot={(props) => <Link to="/settings" {...props} />}>
            {t('dashboard.tileSetPrices')}
          </Anchor>
        </Text>
      )}
    </>
  )
}

const letterName = (letter: string): string => translateLabel(`lookup.letterkind.${letter}`, letter)

/** What the collected money is estimated by. */
function Basis({ simulation, currency }: { simulation: Simulation; currency: string }) {
  const { t } = useTranslation()
  const letters = simulation.responses.filter((one) => one.currency === currency)
  const known = letters.filter(({ weeks }) => weeks > 0)
  const few = letters.filter(({ weeks }) => weeks === 0)
  const tell = ({ letter, letters: count, paidShare, weeks }: (typeof letters)[number]) =>
    t('strategy.response', {
      letter: letterName(letter),
      share: formatNumber(paidShare * 100, 1),
      weeks: formatNumber(weeks),
      letters: formatNumber(count),
    })
  return (
    <Text size="xs" c="dimmed">
      {known.length === 0
        ? t('strategy.noResponses')
        : `${t('strategy.responses')} ${known.map(tell).join(' · ')}.`}{' '}
      {few.length > 0 &&
        t('strategy.fewLetters', {
          letters: few
            .map(({ letter, letters: count }) => `${letterName(letter)} (${formatNumber(count)})`)
            .join(', '),
        })}
    </Text>
  )
}

const spanLabel = ({ first, last }: WeekSpan): string => (first === last ? `${first}` : `${first}–${last}`)

interface SpansProps {
  spans: readonly WeekSpan[]
  isCompared: boolean
}

function WeekChart({ spans, format, isCompared }: SpansProps & { format: FigureName['format'] }) {
  const { t } = useTranslation()
  const draft = { name: t(isCompared ? 'strategy.draft' : 'strategy.total'), colour: 'chart-main' }
  const parts = isCompared ? [{ name: t('strategy.inForce'), colour: 'chart-former' }, draft] : [draft]
  return (
    <StackedChart
      beside
      parts={parts}
      columns={spans.map((span) => ({
        key: String(span.first),
        label: spanLabel(span),
        values: span.values,
        about: `${t('strategy.week')} ${spanLabel(span)}, ${formatDateTime(span.from)}: ${span.values.map(format).join(' · ')}`,
      }))}
      format={formatShort}
    />
  )
}

function WeekTable({ spans, name, isCompared }: SpansProps & { name: FigureName }) {
  const { t } = useTranslation()
  const { label, format } = name
  const heads = isCompared
    ? [`${label}: ${t('strategy.inForce')}`, `${label}: ${t('strategy.draft')}`, t('strategy.difference')]
    : [label]
  const tell = (values: readonly number[]) => [
    ...values.map(format),
    ...(isCompared ? [withSign(values[1]! - values[0]!, format)] : []),
  ]
  const sums = (spans[0]?.values ?? []).map((_, at) =>
    spans.reduce((sum, { values }) => sum + values[at]!, 0),
  )
  return (
    <FigureTable
      heads={[t('strategy.week'), ...heads]}
      rows={[
        ...spans.map((span) => ({
          key: String(span.first),
          name: `${spanLabel(span)} (${formatDateTime(span.from)})`,
          figures: tell(span.values),
        })),
        { key: 'all', name: t('strategy.total'), figures: tell(sums), isSum: true },
      ]}
    />
  )
}
