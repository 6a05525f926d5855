import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report } from '../../../../contract/insight/reports.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { StackedChart } from '../../charts/stacked-chart.tsx'
import { formatDateTime } from '../../format/format.ts'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { saveBytes } from '../../lists/save-file.ts'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { DayQuery } from '../../widgets/days/day-query.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { formatShort } from '../dashboard/months.ts'
import { createFigures } from './report-figures.ts'
import { reportInput, reportKinds, type ReportKind, type ReportSearch } from './report-search.ts'
import { ReportTable } from './report-table.tsx'

/** Reports for a period and a client, as a chart, a table and files. */
export default function ReportPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/reports' })
  const kind = reportKinds.find(({ name }) => name === search.report) ?? reportKinds[0]!
  const input = reportInput(kind, search)
  const { data, error } = useQuery(reading('getReport', input))
  const report = data?.body
  const title = t(`report.title.${kind.name}`)
  return (
    <Page
      title={t('navigation.reports')}
      about={report ? <Period report={report} /> : ' '}
      actions={<SaveButtons input={input} disabled={!report} />}
    >
      <Choices kind={kind} search={search} />
      <ProblemAlert error={error} />
      {report && report.rows.length > 0 && <Chart report={report} clientGuid={input.clientGuid} />}
      {!error && (
        <Panel title={title}>
          {!report && <LinesSkeleton lines={9} />}
          {report?.rows.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('report.empty')}
            </Text>
          )}
          {report && report.rows.length > 0 && <ReportTable report={report} title={title} />}
        </Panel>
      )}
    </Page>
  )
}

function Period({ report: { from, to } }: { report: Report }) {
  const { t } = useTranslation()
  return from === null
    ? t('report.asOf', { date: formatDateTime(to) })
    : t('report.between', { from: formatDateTime(from), to: formatDateTime(to) })
}

function Choices({ kind, search }: { kind: ReportKind; search: ReportSearch }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const change = (next: Partial<Record<keyof ReportSearch, string | undefined>>) =>
    void navigate({ to: '/reports', search: { ...search, ...next } as ReportSearch, replace: true })
  return (
    <>
      <Group gap={6} className="no-print" role="group" aria-label={t('report.choose')}>
        {reportKinds.map(({ name }) => (
          <Button
            key={name}
            size="compact-sm"
            radius="xl"
            variant={name === kind.name ? 'light' : 'default'}
            aria-pressed={name === kind.name}
            onClick={() => void navigate({ to: '/reports', search: { ...search, report: name } })}
          >
            {t(`report.title.${name}`)}
          </Button>
        ))}
      </Group>
      <Group align="flex-end" gap="md" className="no-print">
        {(['from', 'to'] as const).map(
          (end) =>
            kind.takes.includes(end) && (
              <DayQuery
                key={end}
                label={t(`report.${end}`)}
                day={search[end]}
                onDay={(day) => change({ [end]: day })}
              />
            ),
        )}
        {kind.takes.includes('clientGuid') && (
          <LookupSelect
            code="client"
            label={t('report.client')}
            placeholder={t('report.allClients')}
            w="18rem"
            value={search.clientGuid ?? null}
            onChange={(guid) => change({ clientGuid: guid ?? undefined })}
          />
        )}
      </Group>
    </>
  )
}

function SaveButtons({ input, disabled }: { input: ReturnType<typeof reportInput>; disabled: boolean }) {
  const { t } = useTranslation()
  const work = useWork()
  const save = async (format: 'csv' | 'pdf') => {
    const { body } = await api.withAnswer.getReport({ ...input, format })
    const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/pdf'
    saveBytes(body, type, `${input.reportName}.${format}`)
  }
  return (
    <>
      <ProblemAlert error={work.error} />
      {(['csv', 'pdf'] as const).map((format) => (
        <Button
          key={format}
          variant="default"
          leftSection={<Icon name="download" size={15} />}
          disabled={disabled || work.busy}
          onClick={() => void work.run(() => save(format))}
        >
          {t(`report.${format}`)}
        </Button>
      ))}
    </>
  )
}

function Chart({ report, clientGuid }: { report: Report; clientGuid: string | undefined }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string>()
  const counts = Map.groupBy(report.rows, ({ currencyCode }) => String(currencyCode))
  const currencies = [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([code]) => code)
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : (currencies[0] ?? '')
  const figures = createFigures(report, { currency, clientGuid })
  if (!figures) return null
  return (
    <Panel
      title={t('report.chart')}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={t('field.currencyCode')}
            data={currencies}
            value={currency}
            onChange={setChosen}
          />
        )
      }
    >
      {figures.all > figures.columns.length && (
        <Text size="xs" c="dimmed" mb="xs">
          {t('report.drawn', { drawn: figures.columns.length, all: figures.all })}
        </Text>
      )}
      <StackedChart parts={figures.parts} columns={figures.columns} format={formatShort} />
    </Panel>
  )
}
