import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reading } from '../../api/queries.ts'
import { ActorName } from '../../widgets/actor-name.tsx'
import { step, TimelineList } from './timeline-list.tsx'

/** What the audit trail has of a record and what belongs to it, newest first. */
export function Timeline({ guid }: { guid: string }) {
  const [shown, setShown] = useState(step)
  const { data, error, isFetching } = useQuery({
    ...reading('listAuditEntries', {
      $filter: `subjectGuid eq ${guid} or entityGuid eq ${guid}`,
      $top: shown,
    }),
    placeholderData: (former) => former,
  })
  const lines = data?.body.value.map((entry) => ({
    ...entry,
    key: entry.position,
    about: <ActorName guid={entry.actorGuid} />,
  }))
  return (
    <TimelineList
      lines={lines}
      total={data?.body.total}
      error={error}
      busy={isFetching}
      shown={shown}
      onShown={setShown}
    />
  )
}
