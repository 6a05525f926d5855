import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../../contract/audit.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { ActorName } from '../../widgets/actor-name.tsx'
import { ChangeList, sayAction } from '../../widgets/change-list.tsx'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

const step = 20

/** What happened to a record and what belongs to it, newest first. */
export function Timeline({ guid }: { guid: string }) {
  const { t } = useTranslation()
  const [most, setMost] = useState(step)
  const { data, error, isFetching } = useQuery({
    ...reading('listAuditEntries', {
      $filter: `subjectGuid eq ${guid} or entityGuid eq ${guid}`,
      $top: Math.min(most, 100),
    }),
    placeholderData: (former) => former,
  })
  if (error) return <ProblemAlert error={error} />
  if (!data) return <LinesSkeleton lines={5} />
  const { value, total } = data.body
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('timeline.none')}
      </Text>
    )
  return (
    <>
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {value.map((entry) => (
          <Entry key={entry.position} entry={entry} />
        ))}
      </ol>
      {value.length < total && most < 100 && (
        <Button variant="subtle" size="xs" mt="xs" loading={isFetching} onClick={() => setMost(most + step)}>
          {t('timeline.more')}
        </Button>
      )}
    </>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  return (
    <li className="timeline-entry">
      <Text size="xs" c="dimmed" component="time" dateTime={entry.occurredAt ?? undefined}>
        {formatDateTime(entry.occurredAt)}
      </Text>
      <div>
        <Text size="sm">
          <strong>{sayAction(entry)}</strong> · <ActorName guid={entry.actorGuid} />
        </Text>
        <ChangeList changes={entry.changes} />
      </div>
    </li>
  )
}
