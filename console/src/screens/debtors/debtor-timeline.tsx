import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readingMore } from '../../api/queries.ts'
import { TimelineList, timelinePageSize } from './timeline-list.tsx'

/** Events, notes and messages of a debtor and their cases, newest first. */
export function DebtorTimeline({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage } = useInfiniteQuery(
    readingMore('listTimeline', { debtorGuid }, timelinePageSize),
  )
  const entries = data?.pages.flatMap(({ body }) => body.value)
  const lines = entries?.map((entry) => ({
    ...entry,
    key: entry.entryId,
    about: [entry.actor ?? t('timeline.system'), entry.caseNumber].filter(Boolean).join(' · '),
  }))
  return (
    <TimelineList
      lines={lines}
      error={error}
      busy={isFetchingNextPage}
      onMore={hasNextPage ? () => void fetchNextPage() : undefined}
    />
  )
}
