import * as contract from '../../../contract/platform/messages.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { visibleMessages } from './messages.scope.ts'
import { listMessages } from '../../platform/messages/messages.store.ts'

export function serveMessages(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listMessages, async ({ db, caller, query }) => ({
    body: await listMessages(db, visibleMessages(caller), query, { totals, today: clock.today() }),
  }))
}
