import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkItem } from '../../../../contract/work/work.ts'
import { api } from '../../api/client.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { useWork } from '../../widgets/use-work.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { refreshWork } from './work-changes.ts'

const atOnceMax = 500

/** Marks items as done, up to 500 in a request. */
export async function markDone(items: readonly WorkItem[]): Promise<void> {
  for (let from = 0; from < items.length; from += atOnceMax) {
    const part = items.slice(from, from + atOnceMax)
    await api.completeWork({
      body: { items: part.map(({ caseGuid, reason, dueDate }) => ({ caseGuid, reason, dueDate })) },
    })
  }
  await refreshWork()
}

/** The actions for the selected items of work. */
export default function WorkBulk({ rows, onClear }: { rows: readonly WorkItem[]; onClear: () => void }) {
  const { t } = useTranslation()
  const [assigned, setAssigned] = useState<readonly WorkItem[]>()
  const work = useWork()
  const finish = async () => {
    await markDone(rows).catch((error: unknown) => {
      noticeProblem(error)
      throw error
    })
    noticeDone(t('work.doneCount', { count: rows.length }))
    onClear()
  }
  return (
    <Group gap="xs" px="sm" pb="sm" role="group" aria-label={t('bulk.selected', { count: rows.length })}>
      <Text size="sm" fw={600} role="status">
        {t('bulk.selected', { count: rows.length })}
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="person" size={14} />}
        onClick={() => setAssigned(rows)}
      >
        {t('work.assign')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="check" size={14} />}
        loading={work.busy}
        onClick={() => void work.run(finish)}
      >
        {t('work.done')}
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        {t('bulk.clear')}
      </Button>
      {assigned && (
        <AssignDialog
          caseGuids={[...new Set(assigned.map(({ caseGuid }) => caseGuid))]}
          onDone={onClear}
          onClose={() => setAssigned(undefined)}
        />
      )}
    </Group>
  )
}
