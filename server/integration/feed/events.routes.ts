import * as contract from '../../../contract/platform/events.ts'
import type { Event } from '../../../contract/platform/events.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { mayCall } from '../../access/serve/admit.ts'
import { ApiError, invalid } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { readEvents, readTypes, type EventPage, type EventTypes } from './event-feed.ts'
import { checkTypes } from './event-types.rules.ts'
import type { FeedWatch } from './feed-watch.ts'
import { openWaitSlots, type WaitSlot } from '../../platform/http/wait-slots.ts'
import { searchEvents } from './search-events.ts'

/** A stream ends after this time, so that the client reconnects and its access is checked again. */
const streamMs = 60_000
const heartbeatMs = 15_000
/** A request that goes on reads its caller's rights this often: they end or change within a second on every node. */
const recheckMs = 500
/** Limits of waiting requests per node, and per user or API client. One more is answered with 503. */
const waitingMax = 64
const waitingPerCallerMax = 16

export function serveEvents(service: ServerContext, watch: FeedWatch): void {
  const { clock, sql, totals } = service
  const places = openWaitSlots(waitingMax, waitingPerCallerMax)

  serve(service, contract.searchEvents, async ({ db, caller, query }) => ({
    body: await searchEvents(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.listEvents, async ({ db, caller, query, headers, onClose }) => {
    const { after = 0, limit = 100, wait = 0 } = query
    const named = query.types?.split(',') ?? []
    const fault = checkTypes(named)
    if (fault !== undefined) throw invalid({ types: [fault] })
    const types = readTypes(named)
    const read = (from: number) => readEvents(db, caller, { after: from, types, limit })
    if (headers.accept?.includes('text/event-stream')) {
      const from = /^\d{1,15}$/.exec(String(headers['last-event-id'] ?? ''))?.[0] ?? after
      const place = places.take(caller.userId)
      onClose(place.leave)
      const stream = streamEvents(service, watch, { caller, types, after: Number(from) }, place)
      return { body: { next: 0, value: [] }, stream }
    }
    const deadline = Date.now() + wait * 1000
    let since = watch.version()
    let page = await read(after)
    const isDone = () => page.value.length > 0 || Date.now() >= deadline || watch.isStopped()
    if (isDone()) return { body: page }
    const place = places.take(caller.userId)
    onClose(place.leave)
    try {
      while (!isDone() && !place.left.aborted) {
        await watch.change(since, Math.min(recheckMs, deadline - Date.now()), place.left)
        const current = await recheck(service, caller)
        if (!current) throw sessionEnded()
        since = watch.version()
        page = await readEvents(sql, current, { after: page.next, types, limit })
      }
    } finally {
      place.leave()
    }
    return { body: page }
  })
}

/** The caller with the rights of now; undefined when the caller may no longer read events. */
async function recheck({ sessions }: ServerContext, caller: Caller): Promise<Caller | undefined> {
  const current = await sessions.recheck(caller)
  return current && mayCall(contract.listEvents, current) ? current : undefined
}

const sessionEnded = () =>
  new ApiError('unauthenticated', 'The session or its right to read events has ended. Sign in again.', {
    headers: { 'www-authenticate': 'Bearer' },
  })

interface Following {
  caller: Caller
  types: EventTypes
  after: number
}

async function* streamEvents(
  service: ServerContext,
  watch: FeedWatch,
  { caller, types, after }: Following,
  place: WaitSlot,
): AsyncGenerator<string> {
  try {
    const deadline = Date.now() + streamMs
    let next = after
    let quietSince = Date.now()
    yield 'retry: 1000\n\n'
    while (Date.now() < deadline && !watch.isStopped() && !place.left.aborted) {
      const current = await recheck(service, caller)
      if (!current) return
      const since = watch.version()
      const page: EventPage = await readEvents(service.sql, current, { after: next, types, limit: 100 })
      next = page.next
      if (page.value.length > 0) {
        yield page.value.map(eventLines).join('')
        quietSince = Date.now()
        continue
      }
      const beatAt = quietSince + heartbeatMs
      await watch.change(since, Math.min(Date.now() + recheckMs, beatAt, deadline) - Date.now(), place.left)
      // Events that the caller may not see wake this loop too; nothing is sent for them.
      if (Date.now() < beatAt) continue
      yield ': \n\n'
      quietSince = Date.now()
    }
  } finally {
    place.leave()
  }
}

const eventLines = (event: Event) =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
