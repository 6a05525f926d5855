import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import { LinesSkeleton, Panel } from './page.tsx'
import { ProblemAlert } from './problem-alert.tsx'

interface ListPanelProps<Row> {
  title: string
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  error: unknown
  /** Shown when there are no rows. */
  empty: string
  /** The button that adds one. False for who may not. */
  add?: { label: string; onClick: () => void } | false | undefined
  /** The lines to reserve while loading. */
  lines?: number
  getKey: (row: Row) => string
  children: (row: Row) => ReactNode
  /** Below the rows: more to load, and dialogs. */
  after?: ReactNode
}

/** A panel with rows of a record: title, button, loading, error and empty state. */
export function ListPanel<Row>(props: ListPanelProps<Row>) {
  const { title, rows, error, empty, add, lines = 2, getKey, children, after } = props
  return (
    <Panel title={title} actions={add && <AddButton {...add} />}>
      <ProblemAlert error={error} />
      {!rows && !error && <LinesSkeleton lines={lines} />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul className="explanation">
          {rows.map((row) => (
            <li key={getKey(row)} className="lined">
              {children(row)}
            </li>
          ))}
        </ul>
      )}
      {after}
    </Panel>
  )
}

/** The small button in the title of a panel. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<Icon name="plus" size={14} />} onClick={onClick}>
      {label}
    </Button>
  )
}
