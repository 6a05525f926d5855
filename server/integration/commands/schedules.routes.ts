import * as contract from '../../../contract/platform/schedules.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { listSchedules } from './schedules.store.ts'

export function serveSchedules(service: ServerContext): void {
  const { clock, totals } = service
  serve(service, contract.listSchedules, async ({ db, query }) => ({
    body: await listSchedules(db, query, { totals, today: clock.today() }),
  }))
}
