import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkItem } from '../../../../contract/work/work.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { useWork } from '../../widgets/use-work.ts'
import { BulkBar } from '../../lists/bulk/bulk-bar.tsx'
import { BulkJobDialog, type BulkAsk } from '../../lists/bulk/bulk-job-dialog.tsx'
import type { Matching } from '../../lists/bulk/matching.ts'
import { addUp } from '../../lists/sums/add-up.ts'
import { AssignDialog } from './assign-dialog.tsx'
import { OwnerFields, useOwnerChoice } from './owner-fields.tsx'
import { markDone, refreshWork } from './work-changes.ts'

interface WorkBulkProps {
  rows: readonly WorkItem[]
  /** Set when all items that the filter matches are selected. */
  matching: Matching | undefined
  onClear: () => void
}

/** The actions for the selected items of work. */
export default function WorkBulk({ rows, matching, onClear }: WorkBulkProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<{ action: 'assign' | 'done'; rows: readonly WorkItem[] }>()
  const work = useWork()
  const finish = async () => {
    await markDone(rows).catch((error: unknown) => {
      noticeProblem(error)
      throw error
    })
    noticeDone(t('work.doneCount', { count: rows.length }))
    onClear()
  }
  const count = matching?.total ?? rows.length
  // A case counts once, however often it stands in the queue.
  const cases = new Map(rows.map((row) => [row.caseGuid, { ...row, amount: row.remainingSum }]))
  const close = () => setOpen(undefined)
  const dialog =
    open &&
    (matching ? (
      <WorkJob action={open.action} matching={matching} onClose={close} />
    ) : (
      <AssignDialog
        caseGuids={[...new Set(open.rows.map(({ caseGuid }) => caseGuid))]}
        onDone={onClear}
        onClose={close}
      />
    ))
  return (
    <BulkBar
      count={count}
      amounts={matching ? [] : addUp([...cases.values()])}
      onClear={onClear}
      dialog={dialog}
    >
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="person" size={14} />}
        onClick={() => setOpen({ action: 'assign', rows })}
      >
        {t('work.assign')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="check" size={14} />}
        loading={work.busy}
        onClick={() => (matching ? setOpen({ action: 'done', rows }) : void work.run(finish))}
      >
        {t('work.done')}
      </Button>
    </BulkBar>
  )
}

const reload = () => void refreshWork()

interface WorkJobProps {
  action: 'assign' | 'done'
  matching: Matching
  onClose: () => void
}

/** An action on all items of work that the filter matches. */
function WorkJob({ action, matching, onClose }: WorkJobProps) {
  const { t } = useTranslation()
  const choice = useOwnerChoice()
  const assignment: BulkAsk | undefined = choice.input && { action, input: choice.input }
  return (
    <BulkJobDialog
      title={t(action === 'assign' ? 'work.assign' : 'work.done')}
      list="work"
      matching={matching}
      ask={action === 'done' ? { action, input: {} } : assignment}
      onChanged={reload}
      onClose={onClose}
    >
      {action === 'assign' && <OwnerFields choice={choice} />}
    </BulkJobDialog>
  )
}
