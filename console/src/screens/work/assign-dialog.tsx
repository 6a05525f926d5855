import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { refreshWork } from './work-changes.ts'

interface AssignDialogProps {
  caseGuids: readonly string[]
  owner?: { ownerGuid: string | null; teamGuid: string | null }
  onDone?: () => void
  onClose: () => void
}

const nobody = ''
const atOnceMax = 500

/** Gives cases a handler and a team. Without a choice, each case keeps what it has. */
export function AssignDialog({ caseGuids, owner, onDone, onClose }: AssignDialogProps) {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listWorkOwners'))
  const [handler, setHandler] = useState<string | null>(owner?.ownerGuid ?? null)
  const [team, setTeam] = useState<string | null>(owner?.teamGuid ?? null)
  const free = { value: nobody, label: t('work.nobody') }
  const noTeam = { value: nobody, label: t('work.noTeam') }
  const assign = async () => {
    const body = {
      ...(handler !== null && { ownerGuid: handler === nobody ? null : handler }),
      ...(team !== null && { teamGuid: team === nobody ? null : team }),
    }
    for (let from = 0; from < caseGuids.length; from += atOnceMax)
      await api.assignWork({ body: { ...body, caseGuids: caseGuids.slice(from, from + atOnceMax) } })
    await refreshWork()
    noticeDone(t('work.assigned', { count: caseGuids.length }))
    onDone?.()
  }
  return (
    <WorkDialog
      title={t('work.assignCases', { count: caseGuids.length })}
      submit={t('work.assign')}
      disabled={handler === null && team === null}
      error={error}
      onSubmit={assign}
      onClose={onClose}
    >
      <Select
        label={t('field.ownerName')}
        placeholder={t('work.keep')}
        searchable
        data={[
          free,
          ...(data?.body.users ?? []).map(({ userGuid, fullName }) => ({ value: userGuid, label: fullName })),
        ]}
        value={handler}
        data-autofocus
        onChange={setHandler}
      />
      <Select
        label={t('field.teamName')}
        placeholder={t('work.keep')}
        searchable
        data={[
          noTeam,
          ...(data?.body.teams ?? []).map(({ teamGuid, name }) => ({ value: teamGuid, label: name })),
        ]}
        value={team}
        onChange={setTeam}
      />
    </WorkDialog>
  )
}
