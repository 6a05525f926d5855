import * as contract from '../../contract/schedules.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { listSchedules } from './schedules.store.ts'

export function serveSchedules(service: Service): void {
  const { clock, totals } = service
  serve(service, contract.listSchedules, async ({ db, query }) => ({
    body: await listSchedules(db, query, { totals, today: clock.today() }),
  }))
}
