import * as contract from '../../../contract/cases/objections.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { listObjections } from './objections.store.ts'

export function serveObjections(service: ServerContext): void {
  const { clock, totals } = service
  serve(service, contract.listObjections, async ({ db, caller, query }) => ({
    body: await listObjections(db, caller, query, { totals, today: clock.today() }),
  }))
}
