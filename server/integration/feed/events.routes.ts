import * as contract from '../../../contract/platform/events.ts'
import type { Event } from '../../../contract/platform/events.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { invalid } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { Service } from '../../access/serve/service.ts'
import { readEvents, readTypes, type EventPage, type EventTypes } from './event-feed.ts'
import { faultOfTypes } from './event-types.rules.ts'
import type { FeedWatch } from './feed-watch.ts'
import { openPlaces, type Place } from './places.ts'
import { searchEvents } from './search-events.ts'

/** A stream ends after this time, so that the client reconnects and its access is checked again. */
const streamMs = 60_000
const beatMs = 15_000
/** Limits of waiting requests per node, and per user or API client. One more is answered with 503. */
const waitingMax = 64
const waitingOfCallerMax = 16

export function serveEvents(service: Service, watch: FeedWatch): void {
  const { clock, sql, totals } = service
  const places = openPlaces(waitingMax, waitingOfCallerMax)

  serve(service, contract.searchEvents, async ({ db, caller, query }) => ({
    body: await searchEvents(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.listEvents, async ({ db, caller, query, headers, onClose }) => {
    const { after = 0, limit = 100, wait = 0 } = query
    const named = query.types?.split(',') ?? []
    const fault = faultOfTypes(named)
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
        await watch.change(since, deadline - Date.now(), place.left)
        since = watch.version()
        page = await readEvents(sql, caller, { after: page.next, types, limit })
      }
    } finally {
      place.leave()
    }
    return { body: page }
  })
}

interface Following {
  caller: Caller
  types: EventTypes
  after: number
}

async function* streamEvents(
  { sql }: Service,
  watch: FeedWatch,
  { caller, types, after }: Following,
  place: Place,
): AsyncGenerator<string> {
  try {
    const deadline = Date.now() + streamMs
    let next = after
    let quietSince = Date.now()
    yield 'retry: 1000\n\n'
    while (Date.now() < deadline && !watch.isStopped() && !place.left.aborted) {
      const since = watch.version()
      const page: EventPage = await readEvents(sql, caller, { after: next, types, limit: 100 })
      next = page.next
      if (page.value.length > 0) {
        yield page.value.map(lineOf).join('')
        quietSince = Date.now()
        continue
      }
      const beatAt = quietSince + beatMs
      await watch.change(since, Math.min(beatAt, deadline) - Date.now(), place.left)
      // Events that the caller may not see wake this loop too; nothing is sent for them.
      if (Date.now() < beatAt) continue
      yield ': \n\n'
      quietSince = Date.now()
    }
  } finally {
    place.leave()
  }
}

const lineOf = (event: Event) =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
