import * as contract from '../../../contract/platform/notifications.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { openWaitSlots, type WaitSlot } from '../../platform/http/wait-slots.ts'
import type { NotificationWatch } from './notification-watch.ts'
import { countUnread } from './notifications.store.ts'

/** A stream ends after this time, so that the client reconnects and its access is checked again. */
const streamMs = 300_000
/** Proxies close connections on which nothing is sent. */
const heartbeatMs = 20_000
/**
 * A stream asks so often whether its session goes on: it ends within a second on every node. All streams of a node ask at
 * the same moments, so that they share a query.
 */
const recheckMs = 500
/** A user has one connection for each browser. They cost a place in memory, and share one query. */
const followersMax = 1000
const followersPerUserMax = 8

export function serveNotificationStream(service: ServerContext, watch: NotificationWatch): void {
  const places = openWaitSlots(followersMax, followersPerUserMax)

  serve(service, contract.followNotifications, async ({ db, caller, headers, onClose }) => {
    if (!headers.accept?.includes('text/event-stream'))
      return { body: { unread: await countUnread(db, caller) } }
    const place = places.take(caller.userId)
    onClose(place.leave)
    const since = await watch.read(caller.userId)
    return { body: { unread: 0 }, stream: streamChanges(service, watch, { caller, since, place }) }
  })
}

interface Following {
  caller: Caller
  since: string
  place: WaitSlot
}

/** Says that something changed, and nothing of it: what the user may see is read by the other operations. */
async function* streamChanges(
  { sessions }: ServerContext,
  watch: NotificationWatch,
  { caller, since, place }: Following,
): AsyncGenerator<string> {
  try {
    const deadline = Date.now() + streamMs
    let known = since
    let beatAt = Date.now() + heartbeatMs
    yield 'retry: 5000\n\n'
    while (Date.now() < deadline && !watch.isStopped() && !place.left.aborted) {
      const now = Date.now()
      const ms = Math.min(recheckMs - (now % recheckMs), beatAt - now, deadline - now)
      const mark = await watch.change(caller.userId, known, Math.max(ms, 0), place.left)
      if (!(await sessions.recheck(caller))) return
      if (mark !== known) yield 'event: changed\ndata: {}\n\n'
      else if (Date.now() < beatAt) continue
      else yield ': \n\n'
      known = mark
      beatAt = Date.now() + heartbeatMs
    }
  } finally {
    place.leave()
  }
}
