import * as contract from '../../../contract/platform/notifications.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import * as store from './notifications.store.ts'

export function serveNotifications(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listNotifications, async ({ db, caller, query }) => ({
    body: await store.listNotifications(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.countNotifications, async ({ db, caller }) => ({
    body: { unread: await store.countUnread(db, caller) },
  }))

  serve(service, contract.markNotifications, async ({ db, caller, body }) => {
    await store.markNotifications(db, caller, body)
    return { body: { unread: await store.countUnread(db, caller) } }
  })
}
