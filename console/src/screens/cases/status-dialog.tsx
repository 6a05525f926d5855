import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import type { CaseStatus } from '../../../../core/cases/case-lifecycle.ts'
import { loadForm } from '../../forms/server-form.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { refreshCase } from './case-changes.ts'
import { allowedStatuses, allowedSubStatuses } from './case-steps.ts'
import { statusLabel, subStatusLabel } from './status-badge.tsx'

/** Offers only allowed statuses; closing has its own form. */
export function StatusDialog({ record, onClose }: { record: CaseByGuid; onClose: () => void }) {
  const { t } = useTranslation()
  const steps = allowedStatuses(record)
  const [status, setStatus] = useState<CaseStatus>(steps[0]!)
  const [subStatus, setSubStatus] = useState<string>(
    allowedSubStatuses(steps[0]!).find((one) => one === record.subStatus) ??
      allowedSubStatuses(steps[0]!)[0]!,
  )
  const form = useQuery({
    queryKey: ['form', 'case', 'status', record.caseGuid],
    queryFn: () => loadForm('case', 'status', { id: record.caseGuid }),
    // Keeps the version from when the dialog was opened: a later one is somebody else's change.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const store = async () => {
    const { etag } = form.data!
    await form.data!.submit({ status, subStatus }, etag === undefined ? {} : { ifMatch: etag })
    noticeDone(t('form.stored'))
    void refreshCase()
  }
  return (
    <WorkDialog
      title={t('case.status')}
      submit={t('action.save')}
      disabled={!form.data}
      error={form.error}
      onSubmit={store}
      onClose={onClose}
    >
      <Select
        label={t('field.status')}
        data={steps.map((value) => ({ value, label: statusLabel(value) }))}
        value={status}
        allowDeselect={false}
        data-autofocus
        onChange={(next) => {
          setStatus(next!)
          setSubStatus(allowedSubStatuses(next!)[0]!)
        }}
      />
      <Select
        label={t('field.subStatus')}
        data={allowedSubStatuses(status).map((value) => ({ value, label: subStatusLabel(value) }))}
        value={subStatus}
        allowDeselect={false}
        onChange={(next) => setSubStatus(next!)}
      />
    </WorkDialog>
  )
}
