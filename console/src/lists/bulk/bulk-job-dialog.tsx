/** Asks for the input of an action on all matching rows, begins it, and shows what becomes of it. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BulkActionName, BulkList } from '../../../../contract/work/bulk-actions.ts'
import { api } from '../../api/client.ts'
import { isProblem } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { lastRun } from './last-run.ts'
import type { Matching } from './matching.ts'

export interface BulkAsk {
  action: BulkActionName
  input: Record<string, unknown>
}

interface BulkJobDialogProps {
  title: string
  list: BulkList
  matching: Matching
  /** Undefined until the input is complete. */
  ask: BulkAsk | undefined
  children?: ReactNode
  onChanged: () => void
  onClose: () => void
  size?: number | string | undefined
  /** Called when the action begins. */
  onBegun?: (() => void) | undefined
}

export function BulkJobDialog({
  title,
  list,
  matching,
  ask,
  children,
  size = 'lg',
  onBegun,
  ...on
}: BulkJobDialogProps) {
  const { t } = useTranslation()
  const work = useWork()
  const [expected, setExpected] = useState(matching.total)
  const [begun, setBegun] = useState<string>()
  const begin = async () => {
    const { filter } = matching
    const body = { list, ...ask!, filter: filter === '' ? null : filter, expected }
    const { bulkActionGuid } = await api.startBulkAction({ body }).catch((error: unknown) => {
      const found = foundInstead(error)
      if (found !== undefined) setExpected(found)
      throw error
    })
    lastRun.set({ bulkActionGuid, title })
    onBegun?.()
    setBegun(bulkActionGuid)
  }
  if (begun !== undefined) return <BulkOutcome title={title} bulkActionGuid={begun} {...on} />
  const hasGrown = foundInstead(work.error) !== undefined
  return (
    <Modal
      opened
      onClose={on.onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form onSubmit={work.onSubmit(begin)}>
        <Stack gap="md">
          <Text size="sm">{t('bulk.aboutJob', { count: formatNumber(expected) })}</Text>
          {children}
          {hasGrown ? (
            <Alert color="yellow" role="alert">
              {t('bulk.grown', { found: formatNumber(expected), expected: formatNumber(matching.total) })}
            </Alert>
          ) : (
            <ProblemAlert error={work.error} />
          )}
          <Group>
            <Button type="submit" disabled={!ask} loading={work.busy}>
              {t('bulk.start', { count: formatNumber(expected) })}
            </Button>
            <Button variant="default" onClick={on.onClose}>
              {t('action.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** How many rows match now, where they are more than were confirmed. */
function foundInstead(error: unknown): number | undefined {
  if (!isProblem(error, 'conflict')) return undefined
  const { found } = error.problem as { found?: unknown }
  return typeof found === 'number' && found > 0 ? found : undefined
}
