import * as contract from '../../contract/messages.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { listMessages } from './messages.store.ts'

export function serveMessages(service: Service): void {
  const { clock, totals } = service

  serve(service, contract.listMessages, async ({ db, query }) => ({
    body: await listMessages(db, query, { totals, today: clock.today() }),
  }))
}
