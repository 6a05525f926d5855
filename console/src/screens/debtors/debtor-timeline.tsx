import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimelineEntry } from '../../../../contract/timeline.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { ChangeList, sayAction } from '../../widgets/change-list.tsx'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

const step = 20
const most = 100

/** What happened to a debtor and their cases, what was noted, and what was written to them; newest first. */
export function DebtorTimeline({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(step)
  const { data, error, isFetching } = useQuery({
    ...reading('listTimeline', { debtorGuid, $top: shown }),
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
          <Entry key={entry.entryId} entry={entry} />
        ))}
      </ol>
      {value.length < total && shown < most && (
        <Button
          variant="subtle"
          size="xs"
          mt="xs"
          loading={isFetching}
          onClick={() => setShown(shown + step)}
        >
          {t('timeline.more')}
        </Button>
      )}
    </>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation()
  const about = [entry.actor ?? t('timeline.system'), entry.caseNumber].filter(Boolean).join(' · ')
  return (
    <li className="timeline-entry">
      <Text size="xs" c="dimmed" component="time" dateTime={entry.occurredAt ?? undefined}>
        {formatDateTime(entry.occurredAt)}
      </Text>
      <div>
        <Text size="sm">
          <strong>{sayAction(entry)}</strong> · {about}
        </Text>
        {entry.text !== null && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {entry.text}
          </Text>
        )}
        <ChangeList changes={entry.changes} />
      </div>
    </li>
  )
}
