/** A list of records: filter, order, columns, saved views, pages and export. Everything is done by the service. */
import { Box, Group, Text } from '@mantine/core'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListName } from '../../../client/methods.ts'
import { formatNumber } from '../format/format.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { DataTable, type RowProps } from './data-table.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterPanel, FilterToggle } from './filter-panel.tsx'
import { readListFields } from './list-fields.ts'
import { Pager } from './pager.tsx'
import { QuickChoices, type QuickChoice } from './quick-choices.tsx'
import { QuickFilter } from './quick-filter.tsx'
import { SavedViews } from './saved-views.tsx'
import { useListSettings } from './settings.ts'
import { useList } from './use-list.ts'
import { useSelection } from './use-selection.ts'

export interface DataListProps<Row> extends RowProps<Row> {
  operation: ListName
  /** What this list is called in settings and in the name of an exported file. */
  name: string
  /** The contract's shape of a row. */
  row: object
  /** Shown until the user chooses others. */
  columns: readonly string[]
  /** The member that the field above the list looks for. */
  quick?: string
  sort?: string
  /** One press away: filters with a name, each in place of whatever else is asked. */
  quickFilters?: readonly QuickChoice[]
  /** What the operation takes besides: whose rows they are. */
  input?: object
  /** What is asked of every row, beside what the user asks. */
  always?: string
  /** What is done with rows that were chosen; without it none can be. */
  bulk?: ((rows: readonly Row[], clear: () => void) => ReactNode) | undefined
  /** What to say of a list without rows that is not filtered. */
  empty: string
}

export function DataList<Row extends object>(props: DataListProps<Row>) {
  const { t } = useTranslation()
  const { operation, name, columns: standardColumns, quick, sort: standardSort } = props
  const fields = useMemo(() => readListFields(props.row), [props.row])
  const [settings, changeSettings] = useListSettings(name)
  const [filtering, setFiltering] = useState(false)
  const selection = useSelection(props.keyOf)
  const list = useList(operation, {
    ...(standardSort !== undefined && { sort: standardSort }),
    ...(props.always !== undefined && { filter: props.always }),
    ...(props.input && { input: props.input }),
  })
  const chosen = settings.columns?.filter((column) => fields.some((field) => field.name === column))
  const columns = chosen && chosen.length > 0 ? chosen : [...standardColumns]
  const { query, search, change } = list
  const page = query.data?.body as { total: number; value: Row[] } | undefined
  // Behind the last page, after rows have gone or by an address: that is where the rows are.
  const last = page ? Math.ceil(page.total / list.size) : 0
  const isBehind = page?.value.length === 0 && last > 0 && list.page > last
  useEffect(() => {
    if (isBehind) change({ page: last }, true)
  }, [isBehind, last, change])
  const filter = search.filter ?? ''
  // As the page shows them now; those of other pages as they were when they were chosen.
  const chosenRows = selection.rows.map(
    (row) => page?.value.find((one) => props.keyOf(one) === props.keyOf(row)) ?? row,
  )
  const setFilter = (text: string) => change({ filter: text === '' ? undefined : text })
  return (
    <Box className="panel">
      {props.quickFilters && (
        <QuickChoices choices={props.quickFilters} filter={filter} sort={search.sort} onChoose={change} />
      )}
      <Group p="sm" gap="xs" justify="space-between">
        <Group gap="xs">
          {quick !== undefined && (
            <QuickFilter member={quick} fields={fields} filter={filter} onFilter={setFilter} />
          )}
          <FilterToggle
            filter={filter}
            fields={fields}
            opened={filtering}
            onToggle={() => setFiltering(!filtering)}
          />
          <SavedViews search={search} settings={settings} onSettings={changeSettings} onSearch={change} />
        </Group>
        <Group gap="xs">
          <ColumnChooser
            fields={fields}
            columns={columns}
            onColumns={(next) => changeSettings({ columns: next })}
            standard={standardColumns}
          />
          <ExportButton
            operation={operation}
            input={props.input}
            name={name}
            columns={columns}
            fields={fields}
            filter={list.filter}
            sort={list.sort}
            total={page?.total ?? 0}
          />
        </Group>
      </Group>
      {filtering && <FilterPanel filter={filter} fields={fields} onFilter={setFilter} error={query.error} />}
      {query.error !== null && (
        <Box px="sm" pb="sm">
          <ProblemAlert error={query.error} />
        </Box>
      )}
      {chosenRows.length > 0 && props.bulk?.(chosenRows, selection.clear)}
      <DataTable
        {...props}
        {...(props.bulk && { selection })}
        fields={fields}
        columns={columns}
        rows={page?.value}
        sort={list.sort}
        onSort={(next) => change({ sort: next })}
        busy={query.isFetching}
        failed={query.error !== null}
        emptyText={filter === '' ? props.empty : t('list.noMatch')}
      />
      <Group p="sm" justify="space-between" mih={56}>
        <Text size="sm" c="dimmed" role="status">
          {page ? t('list.total', { count: page.total, total: formatNumber(page.total) }) : ''}
        </Text>
        {page && <Pager total={page.total} page={list.page} size={list.size} onChange={change} />}
      </Group>
    </Box>
  )
}
