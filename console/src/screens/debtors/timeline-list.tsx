import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '../../../../contract/audit.ts'
import { formatDateTime } from '../../format/format.ts'
import { ChangeList, sayAction } from '../../widgets/change-list.tsx'
import { LinesSkeleton } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

export const step = 20
const most = 100

interface Line extends Pick<AuditEntry, 'occurredAt' | 'entity' | 'action' | 'changes'> {
  key: string | number
  /** Who did it, and to what. */
  about: ReactNode
  /** What was written. */
  text?: string | null
}

interface TimelineListProps {
  /** Undefined while they are being read. */
  lines: readonly Line[] | undefined
  total: number | undefined
  error: unknown
  busy: boolean
  /** How many were asked for. */
  shown: number
  onShown: (shown: number) => void
}

/** What happened, in the order it comes: some at first, and more as often as somebody asks. */
export function TimelineList({ lines, total = 0, error, busy, shown, onShown }: TimelineListProps) {
  const { t } = useTranslation()
  if (error) return <ProblemAlert error={error} />
  if (!lines) return <LinesSkeleton lines={5} />
  if (total === 0)
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
      {lines.length < total && shown < most && (
        <Button variant="subtle" size="xs" mt="xs" loading={busy} onClick={() => onShown(shown + step)}>
          {t('timeline.more')}
        </Button>
      )}
    </>
  )
}

function TimelineLine({ about, text = null, occurredAt, changes, ...entry }: Omit<Line, 'key'>) {
  return (
    <li className="timeline-entry">
      <Text size="xs" c="dimmed" component="time" dateTime={occurredAt ?? undefined}>
        {formatDateTime(occurredAt)}
      </Text>
      <div>
        <Text size="sm">
          <strong>{sayAction(entry)}</strong> · {about}
        </Text>
        {text !== null && (
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        )}
        <ChangeList changes={changes} />
      </div>
    </li>
  )
}
