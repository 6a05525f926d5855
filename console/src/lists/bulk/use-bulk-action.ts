import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { BulkAction } from '../../../../contract/work/bulk-actions.ts'
import { reading } from '../../api/queries.ts'

const everyMs = 1000

/** A bulk action with its progress, read again until it ends. `onEnded` is called once for each end. */
export function useBulkAction(bulkActionGuid: string, onEnded: () => void) {
  const query = useQuery({
    ...reading('getBulkAction', { bulkActionGuid }),
    refetchInterval: ({ state }) => (state.data?.body.endedAt === null ? everyMs : false),
  })
  const run: BulkAction | undefined = query.data?.body
  const told = useRef<string>(undefined)
  const ended = run?.endedAt == null ? undefined : `${run.jobId} ${run.endedAt}`
  useEffect(() => {
    if (ended === undefined || told.current === ended) return
    told.current = ended
    onEnded()
  }, [ended, onEnded])
  return { run, error: query.error }
}
