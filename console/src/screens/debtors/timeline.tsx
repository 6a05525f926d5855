import { useInfiniteQuery } from '@tanstack/react-query'
import { readingMore } from '../../api/queries.ts'
import { ActorName } from '../../widgets/actor-name.tsx'
import { TimelineList, timelinePageSize } from './timeline-list.tsx'

/** The audit entries of a record and its parts, newest first. */
export function Timeline({ guid }: { guid: string }) {
  const $filter = `subjectGuid eq ${guid} or entityGuid eq ${guid}`
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage } = useInfiniteQuery(
    readingMore('listAuditEntries', { $filter }, timelinePageSize),
  )
  const entries = data?.pages.flatMap(({ body }) => body.value)
  const lines = entries?.map((entry) => ({
    ...entry,
    key: entry.position,
    about: <ActorName guid={entry.actorGuid} />,
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
