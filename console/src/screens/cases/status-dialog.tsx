import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import type { CaseStatus } from '../../../../core/cases/case-lifecycle.ts'
import { reading } from '../../api/queries.ts'
import { textCulture } from '../../format/format.ts'
import { loadForm } from '../../forms/server-form.ts'
import { useMay } from '../../session/session.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { refreshCase } from './case-changes.ts'
import { allowedStatuses, allowedSubStatuses } from './case-steps.ts'
import { statusLabel, subStatusLabel } from './status-badge.tsx'

/** What the law says of each status; nothing until it is known. */
function useStatusLaw({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }) {
  const { data } = useQuery(reading('getCasePermissions', { debtorGuid, caseGuid, culture: textCulture() }))
  return (status: string) => data?.body.actions.find(({ action }) => action === `status:${status}`)
}

/** Offers only statuses that the life cycle allows, and says which the law refuses; closing has its own form. */
export function StatusDialog({ record, onClose }: { record: CaseByGuid; onClose: () => void }) {
  const { t } = useTranslation()
  const findLaw = useStatusLaw({ debtorGuid: record.mainDebtorGuid, caseGuid: record.caseGuid })
  const mayOverride = useMay('case.admin')
  const [overrideReason, setOverrideReason] = useState('')
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
  const law = status === record.status ? undefined : findLaw(status)
  const refused = law && !law.allowed ? law : null
  const overridable = mayOverride && refused?.overridable === true
  const given = overridable ? overrideReason.trim() : ''
  const store = async () => {
    const { etag } = form.data!
    const input = { status, subStatus, ...(given !== '' && { overrideReason: given }) }
    await form.data!.submit(input, etag === undefined ? {} : { ifMatch: etag })
    noticeDone(t('form.stored'))
    void refreshCase()
  }
  return (
    <WorkDialog
      title={t('case.status')}
      submit={t('action.save')}
      disabled={!form.data || (refused !== null && given === '')}
      error={form.error}
      onSubmit={store}
      onClose={onClose}
    >
      <Select
        label={t('field.status')}
        data={steps.map((value) => ({ value, label: statusLabel(value) }))}
        value={status}
        allowDeselect={false}
        error={refused?.reason}
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
      {overridable && (
        <TextInput
          label={t('field.overrideReason')}
          value={overrideReason}
          maxLength={500}
          onChange={(event) => setOverrideReason(event.currentTarget.value)}
        />
      )}
    </WorkDialog>
  )
}
