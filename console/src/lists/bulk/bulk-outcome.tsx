/** The progress of a bulk action, its refused rows, and its undo. */
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkAction } from '../../../../contract/work/bulk-actions.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { errorMessage } from '../../forms/fault-message.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { loadRefusals } from '../../texts/refusal-text.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { useBulkAction } from './use-bulk-action.ts'

interface BulkOutcomeProps {
  title: string
  bulkActionGuid: string
  /** Called when the run or its undo has ended. */
  onChanged: () => void
  onClose: () => void
}

export function BulkOutcome({ title, bulkActionGuid, onChanged, onClose }: BulkOutcomeProps) {
  const { t } = useTranslation()
  const ended = useCallback(() => {
    void refresh('listBulkRows')
    onChanged()
  }, [onChanged])
  const { run, error } = useBulkAction(bulkActionGuid, ended)
  const work = useWork()
  const act = (operation: 'stopBulkAction' | 'undoBulkAction') =>
    void work.run(() => api[operation]({ bulkActionGuid }).finally(() => refresh('getBulkAction')))
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <ProblemAlert error={work.error ?? error} />
        {run && (
          <>
            <BulkProgress run={run} />
            {run.lettersLeaveAt !== null && run.undoable > 0 && (
              <Text size="sm">{t('bulk.lettersLeave', { time: formatDateTime(run.lettersLeaveAt) })}</Text>
            )}
            {run.endedAt !== null && <RefusedRows run={run} />}
            <Group>
              <Button data-autofocus onClick={onClose}>
                {t('action.close')}
              </Button>
              {run.endedAt === null && (
                <Button variant="default" loading={work.busy} onClick={() => act('stopBulkAction')}>
                  {t('bulk.stop')}
                </Button>
              )}
              {run.undoable > 0 && (
                <Button variant="default" loading={work.busy} onClick={() => act('undoBulkAction')}>
                  {t('bulk.undo', { count: formatNumber(run.undoable) })}
                </Button>
              )}
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  )
}

export function BulkProgress({ run }: { run: BulkAction }) {
  const { t } = useTranslation()
  const { found, expected, toDo, done, refused, undone, status, isUndo } = run
  const ended = isUndo ? undone : found - toDo
  const all = isUndo ? undone + toDo : found
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <StateBadge lookup="bulkstate" state={status} />
        <Text size="sm" role="status">
          {t('bulk.jobProgress', {
            done: formatNumber(done),
            all: formatNumber(found),
            refused: formatNumber(refused),
            toDo: formatNumber(toDo),
          })}
          {undone > 0 && ` ${t('bulk.undone', { count: undone })}`}
        </Text>
      </Group>
      <Progress value={all === 0 ? 100 : (100 * ended) / all} aria-label={t('field.progress')} />
      {found < expected && (
        <Text size="sm" c="dimmed">
          {t('bulk.fewer', { found: formatNumber(found), expected: formatNumber(expected) })}
        </Text>
      )}
    </Stack>
  )
}

const refusedMax = 100

/** The reasons are no refusals of a request, with which their words would be loaded. */
const refusalWords = {
  queryKey: ['refusals'],
  queryFn: () => loadRefusals().then(() => true),
  staleTime: Infinity,
}

/** The rows that were refused, and those that an undo left as they are. */
function RefusedRows({ run }: { run: BulkAction }) {
  const { t } = useTranslation()
  const { bulkActionGuid, list } = run
  const { data, error } = useQuery(
    reading('listBulkRows', { bulkActionGuid, $filter: 'reason ne null', $top: refusedMax }),
  )
  useQuery(refusalWords)
  const page = data?.body
  if (error) return <ProblemAlert error={error} />
  if (!page || page.total === 0) return null
  const folder = list === 'clients' ? 'clients' : 'cases'
  return (
    <>
      <Text size="sm" fw={500}>
        {t('bulk.refusedRows', { count: formatNumber(page.total) })}
        {page.total > refusedMax && ` ${t('bulk.firstRefused', { count: refusedMax })}`}
      </Text>
      <ul
        className="explanation bulk-results"
        tabIndex={0}
        aria-label={t('bulk.refusedRows', { count: page.total })}
      >
        {page.value.map(({ number, subjectGuid, reference, name, state, reason }) => (
          <li key={number} className="lined">
            <div>
              <a href={`/${folder}/${subjectGuid}`} target="_blank" rel="noreferrer">
                {[reference, name].filter(Boolean).join(' · ')}
              </a>
              <Text size="xs" c="var(--mantine-color-error)">
                {reason !== null && errorMessage([reason])}
              </Text>
            </div>
            <StateBadge lookup="bulkrowstate" state={state} />
          </li>
        ))}
      </ul>
    </>
  )
}
