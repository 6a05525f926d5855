import { listStatutoryFees as list } from '../../../contract/ledger/statutory-fees.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { listStatutoryFees } from './statutory-fees.store.ts'

export function serveStatutoryFees(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, list, async ({ db, query }) => ({
    body: await listStatutoryFees(db, query, { totals, today: clock.today() }),
  }))
}
