import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { OwnerFields, useOwnerChoice, type Owner } from './owner-fields.tsx'
import { refreshWork } from './work-changes.ts'

interface AssignDialogProps {
  caseGuids: readonly string[]
  owner?: Owner
  onDone?: () => void
  onClose: () => void
}

const atOnceMax = 500

/** Gives cases a handler and a team. Without a choice, each case keeps what it has. */
export function AssignDialog({ caseGuids, owner, onDone, onClose }: AssignDialogProps) {
  const { t } = useTranslation()
  const choice = useOwnerChoice(owner)
  const assign = async () => {
    for (let from = 0; from < caseGuids.length; from += atOnceMax)
      await api.assignWork({ body: { ...choice.input, caseGuids: caseGuids.slice(from, from + atOnceMax) } })
    await refreshWork()
    noticeDone(t('work.assigned', { count: caseGuids.length }))
    onDone?.()
  }
  return (
    <WorkDialog
      title={t('work.assignCases', { count: caseGuids.length })}
      submit={t('work.assign')}
      disabled={choice.input === undefined}
      error={choice.error}
      onSubmit={assign}
      onClose={onClose}
    >
      <OwnerFields choice={choice} />
    </WorkDialog>
  )
}
