import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'

export interface Owner {
  ownerGuid: string | null
  teamGuid: string | null
}

const nobody = ''

/** The choice of a handler and a team. What is not chosen stays as it is. */
export function useOwnerChoice(owner?: Owner) {
  const { data, error } = useQuery(reading('listWorkOwners'))
  const [handler, setHandler] = useState<string | null>(owner?.ownerGuid ?? null)
  const [team, setTeam] = useState<string | null>(owner?.teamGuid ?? null)
  const input: Partial<Owner> | undefined =
    handler === null && team === null
      ? undefined
      : {
          ...(handler !== null && { ownerGuid: handler === nobody ? null : handler }),
          ...(team !== null && { teamGuid: team === nobody ? null : team }),
        }
  return { owners: data?.body, error, handler, setHandler, team, setTeam, input }
}

export function OwnerFields({
  choice: { owners, handler, setHandler, team, setTeam },
}: {
  choice: ReturnType<typeof useOwnerChoice>
}) {
  const { t } = useTranslation()
  return (
    <>
      <Select
        label={t('field.ownerName')}
        placeholder={t('work.keep')}
        searchable
        data={[
          { value: nobody, label: t('work.nobody') },
          ...(owners?.users ?? []).map(({ userGuid, fullName }) => ({ value: userGuid, label: fullName })),
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
          { value: nobody, label: t('work.noTeam') },
          ...(owners?.teams ?? []).map(({ teamGuid, name }) => ({ value: teamGuid, label: name })),
        ]}
        value={team}
        onChange={setTeam}
      />
    </>
  )
}
