import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../../contract/insight/audit.ts'
import { formatDateTime } from '../../format/format.ts'
import { ChangeList, actionLabel } from '../../widgets/changes/change-list.tsx'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

/** The number of lines loaded at a time. */
export const timelinePageSize = 20

interface Line extends Pick<AuditEntry, 'occurredAt' | 'entity' | 'action' | 'changes' | 'currencyCode'> {
  key: string | number
  /** The user and the subject. */
  about: ReactNode
  /** The text of a note or message. */
  text?: string | null
}

interface TimelineListProps {
  /** Undefined while loading. */
  lines: readonly Line[] | undefined
  error: unknown
  busy: boolean
  /** Undefined when all lines are loaded. */
  onMore: (() => void) | undefined
}

/** Events in the given order, loaded in steps on request. */
export function TimelineList({ lines, error, busy, onMore }: TimelineListProps) {
  const { t } = useTranslation()
  if (error) return <ProblemAlert error={error} />
  if (!lines) return <LinesSkeleton lines={5} />
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('timeline.none')}
      </Text>
    )
  return (
    <>
      <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {lines.map(({ key, ...line }) => (
          <TimelineLine key={key} {...line} />
        ))}
      </ol>
      {onMore && (
        <Button variant="subtle" size="xs" mt="xs" loading={busy} onClick={onMore}>
          {t('timeline.more')}
        </Button>
      )}
    </>
  )
}

function TimelineLine({
  about,
  text = null,
  occurredAt,
  changes,
  currencyCode,
  ...entry
}: Omit<Line, 'key'>) {
  return (
    <li className="timeline-entry">
      <Text size="xs" c="dimmed" component="time" dateTime={occurredAt ?? undefined}>
        {formatDateTime(occurredAt)}
      </Text>
      <div>
        <Text size="sm">
          <strong>{actionLabel(entry)}</strong> · {about}
        </Text>
        {text !== null && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        )}
        <ChangeList changes={changes} currencyCode={currencyCode} />
      </div>
    </li>
  )
}
