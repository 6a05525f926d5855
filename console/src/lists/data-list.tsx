/** A list of records with filter, order, columns, saved views, pages and export. The service filters and sorts. */
import { Box, Button, Group } from '@mantine/core'
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListName } from '../../../client/operations.ts'
import { EmptyState } from '../widgets/empty/empty-state.tsx'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { BulkArea, type BulkActions } from './bulk/bulk-area.tsx'
import { DataTable } from './data-table.tsx'
import { FilterToggle } from './tools/filter-toggle.tsx'
import { readListFields, type ListField } from './list-fields.ts'
import { ListFoot } from './list-foot.tsx'
import type { MemberName, RowProps } from './list-row.tsx'
import { TableTools, ViewsTool } from './tools/list-tools.tsx'
import { ListOrder } from './tools/list-order.tsx'
import { QuickChoices, type QuickChoice } from './quick-choices.tsx'
import { QuickFilter } from './quick-filter.tsx'
import { useListSettings } from './settings.ts'
import { useSums } from './sums/use-sums.ts'
import { useList } from './use-list.ts'
import { useSelection } from './use-selection.ts'

const FilterPanel = lazy(() => import('./filter-panel.tsx'))

export interface DataListProps<Row> extends RowProps<Row> {
  operation: ListName
  /** The list's name in the user's settings and in the names of exported files. */
  name: string
  /** The contract's schema of a row. */
  row: object
  /** The default columns. */
  columns: readonly MemberName<Row>[]
  /** The member that the quick filter searches. */
  quick?: MemberName<Row>
  sort?: string
  /** Named filters. Each replaces the current filter. */
  quickFilters?: readonly QuickChoice[]
  /** Other parameters of the operation, such as the debtor. */
  input?: object
  /** A condition that is added to the user's filter. */
  always?: string
  /** Actions on selected rows. Without it, rows cannot be selected. */
  bulk?: BulkActions<Row> | undefined
  /** Whether the actions are also for all rows that the filter matches. */
  bulkMatching?: boolean
  /** The amounts that are added up over all matching rows where they are shown. */
  sums?: readonly MemberName<Row>[]
  /** Shown when there are no rows and no filter. */
  empty: string
  /** What the user can do then, such as a button that adds the first record. */
  emptyAction?: ReactNode
}

export function DataList<Row extends object>(props: DataListProps<Row>) {
  const { operation, name, columns: standardColumns, quick, sort: standardSort } = props
  const { fields, filterFields } = useFields(props.row)
  const [settings, changeSettings] = useListSettings(name)
  const [filtering, setFiltering] = useState(false)
  const selection = useSelection(props.getKey)
  const list = useList(operation, {
    ...(standardSort !== undefined && { sort: standardSort }),
    ...(props.always !== undefined && { filter: props.always }),
    ...(props.input && { input: props.input }),
  })
  const columns = pickColumns(settings.columns, fields, standardColumns)
  const { query, search, change } = list
  const page = query.data?.body as { total: number; value: Row[] } | undefined
  useLastPage(list, page)
  const adding = useSums(props, { columns, filter: list.filter, total: page?.total })
  const filter = search.filter ?? ''
  // Selected rows of this page are current; those of other pages are as they were when selected.
  const chosenRows = selection.rows.map(
    (row) => page?.value.find((one) => props.getKey(one) === props.getKey(row)) ?? row,
  )
  const exported = {
    operation,
    input: props.input,
    name,
    columns,
    fields,
    filter: list.filter,
    sort: list.sort,
    total: page?.total ?? 0,
  }
  const setFilter = (text: string) => change({ filter: text === '' ? undefined : text })
  return (
    <Box className="panel">
      {props.quickFilters && (
        <QuickChoices choices={props.quickFilters} filter={filter} sort={search.sort} onChoose={change} />
      )}
      <Group p="sm" gap="xs" justify="space-between" className="list-tools no-print">
        <Group gap="xs">
          {quick !== undefined && (
            <QuickFilter member={quick} fields={filterFields} filter={filter} onFilter={setFilter} />
          )}
          <FilterToggle
            filter={filter}
            fields={filterFields}
            opened={filtering}
            onToggle={() => setFiltering(!filtering)}
          />
          <ViewsTool search={search} settings={settings} onSettings={changeSettings} onSearch={change} />
          <ListOrder fields={fields} columns={columns} sort={list.sort} onSort={(sort) => change({ sort })} />
        </Group>
        <TableTools
          chooser={{
            fields,
            columns,
            onColumns: (next) => changeSettings({ columns: next }),
            standard: standardColumns,
            dense: settings.dense === true,
            onDense: (dense) => changeSettings({ dense }),
          }}
          exported={exported}
        />
      </Group>
      {filtering && (
        <Suspense fallback={null}>
          <FilterPanel filter={filter} fields={filterFields} onFilter={setFilter} error={query.error} />
        </Suspense>
      )}
      <ListError error={query.error} />
      {props.bulk && (
        <BulkArea
          rows={page?.value ?? []}
          total={page?.total ?? 0}
          filter={list.filter}
          chosen={chosenRows}
          selection={selection}
          isMatching={props.bulkMatching === true}
          sums={adding.sums}
          exported={exported}
        >
          {props.bulk}
        </BulkArea>
      )}
      <DataTable
        {...props}
        {...(props.bulk && { selection })}
        dense={settings.dense === true}
        fields={fields}
        columns={columns}
        rows={page?.value}
        sort={list.sort}
        onSort={(sort) => change({ sort })}
        busy={query.isFetching}
        failed={query.error !== null}
        nothing={<Nothing {...props} filter={filter} onClear={() => setFilter('')} />}
        sums={adding.sums}
      />
      {!(page?.total === 0 && filter === '') && <ListFoot page={page} place={list} adding={adding} />}
    </Box>
  )
}

/** The columns of a row, and what its filters know. */
function useFields(row: object): { fields: ListField[]; filterFields: ListField[] } {
  return useMemo(() => {
    const filterFields = readListFields(row)
    return { fields: filterFields.filter((field) => !field.filterOnly), filterFields }
  }, [row])
}

interface NothingProps {
  empty: string
  emptyAction?: ReactNode
  filter: string
  onClear: () => void
}

/** A user's filter without a match is removed by a press. */
function Nothing({ empty, emptyAction, filter, onClear }: NothingProps) {
  const { t } = useTranslation()
  if (filter === '') return <EmptyState text={empty} action={emptyAction} />
  return (
    <EmptyState
      text={t('list.noMatch')}
      action={
        <Button size="xs" variant="default" onClick={onClear}>
          {t('list.showAll')}
        </Button>
      }
    />
  )
}

/** The user's columns, as far as the list still has them. */
function pickColumns(
  chosen: readonly string[] | undefined,
  fields: readonly ListField[],
  standard: readonly string[],
): string[] {
  const known = (chosen ?? []).filter((column) => fields.some((field) => field.name === column))
  return known.length > 0 ? known : [...standard]
}

function ListError({ error }: { error: unknown }) {
  if (error === null) return null
  return (
    <Box px="sm" pb="sm">
      <ProblemAlert error={error} />
    </Box>
  )
}

/** Shows the last page when the page in the address is past it. */
function useLastPage({ page: shown, size, change }: ReturnType<typeof useList>, page: Rows | undefined) {
  const last = page ? Math.ceil(page.total / size) : 0
  const isBehind = page?.value.length === 0 && last > 0 && shown > last
  useEffect(() => {
    if (isBehind) change({ page: last }, true)
  }, [isBehind, last, change])
}

interface Rows {
  total: number
  value: readonly unknown[]
}
