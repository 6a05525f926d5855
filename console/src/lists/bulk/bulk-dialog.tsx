import { Badge, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../api/queries.ts'
import { errorMessage } from '../../forms/fault-message.ts'
import { problemDetail } from '../../widgets/problem-alert.tsx'
import { ChangedMeanwhile, useBulkRun, type BulkResult, type BulkWork } from './use-bulk-run.ts'

interface BulkDialogProps<Row> {
  title: string
  rows: readonly Row[]
  getName: (row: Row) => string
  /** The input that the action needs. */
  children?: ReactNode
  /** Undefined until the input is complete. */
  work: BulkWork<Row> | undefined
  /** Called after rows have changed. */
  onChanged: () => void
  onClose: () => void
  size?: number | string | undefined
  /** Called when the action begins. */
  onBegun?: (() => void) | undefined
}

const colours = { waiting: 'gray', running: 'fjord', done: 'teal', failed: 'red', undone: 'gray' } as const

/** Runs an action on the selected rows, one by one, and shows the outcome of each. */
export function BulkDialog<Row>(props: BulkDialogProps<Row>) {
  const { title, rows, getName, children, work, onChanged, onClose, size = 'lg', onBegun } = props
  const { t } = useTranslation()
  const run = useBulkRun<Row>()
  const { results, busy } = run
  const count = (state: BulkResult<Row>['state']) => results.filter((one) => one.state === state).length
  const ended = results.length - count('waiting') - count('running')
  const open = count('failed') + count('waiting')
  const undoable = results.filter(({ state, undo }) => state === 'done' && undo).length
  const after = (running: Promise<void>) => void running.then(onChanged)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={false}
      closeOnEscape={!busy}
      withCloseButton={!busy}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {results.length === 0 ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (!work) return
            onBegun?.()
            after(run.start(rows, work))
          }}
        >
          <Stack gap="md">
            <Text size="sm">{t('bulk.about', { count: rows.length })}</Text>
            {children}
            <Group>
              <Button type="submit" disabled={!work}>
                {t('bulk.start', { count: rows.length })}
              </Button>
              <Button variant="default" onClick={onClose}>
                {t('action.cancel')}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack gap="md">
          <Progress value={(100 * ended) / results.length} aria-label={t('field.progress')} />
          <Text size="sm" role="status">
            {t('bulk.progress', { done: count('done'), all: results.length, failed: count('failed') })}
            {count('undone') > 0 && ` ${t('bulk.undone', { count: count('undone') })}`}
          </Text>
          <Results results={results} getName={getName} title={title} />
          <Group>
            {busy && (
              <Button variant="default" onClick={run.stop}>
                {t('bulk.stop')}
              </Button>
            )}
            {!busy && (
              <Button data-autofocus onClick={onClose}>
                {t('action.close')}
              </Button>
            )}
            {!busy && open > 0 && count('undone') === 0 && (
              <Button variant="default" onClick={() => work && after(run.retry(work))}>
                {t('bulk.retry', { count: open })}
              </Button>
            )}
            {!busy && undoable > 0 && (
              <Button variant="default" onClick={() => after(run.undo())}>
                {t('bulk.undo', { count: undoable })}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

interface ResultsProps<Row> {
  title: string
  results: readonly BulkResult<Row>[]
  getName: (row: Row) => string
}

/** Failed rows come first. */
function Results<Row>({ results, getName, title }: ResultsProps<Row>) {
  const { t } = useTranslation()
  const inOrder = results.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))
  return (
    <ul className="explanation bulk-results" tabIndex={0} aria-label={t('list.rowsOf', { title })}>
      {inOrder.map((result) => (
        <li key={getName(result.row)} className="lined">
          <div>
            <Text size="sm">{getName(result.row)}</Text>
            {result.error !== undefined && (
              <Text size="xs" c="var(--mantine-color-error)">
                {failureMessage(result.error, t('bulk.changed'))}
              </Text>
            )}
          </div>
          <Badge variant="light" tt="none" fw={500} flex="none" color={colours[result.state]}>
            {t(result.state === 'undone' ? 'bulk.undoneOne' : `bulk.${result.state}`)}
          </Badge>
        </li>
      ))}
    </ul>
  )
}

function failureMessage(error: unknown, changed: string): string {
  if (error instanceof ChangedMeanwhile || isProblem(error, 'precondition-failed')) return changed
  const more = isProblem(error) ? errorMessage(Object.values(error.errors).flat()) : ''
  return more === '' ? problemDetail(error) : more
}
