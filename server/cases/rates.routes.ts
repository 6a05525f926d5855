import * as contract from '../../contract/rates.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { listReferenceRates } from './reference-rates.store.ts'
import { listStatutoryFees } from './statutory-fees.store.ts'

export function serveRates(service: Service): void {
  const { clock, totals } = service

  serve(service, contract.listReferenceRates, async ({ db, query }) => ({
    body: await listReferenceRates(db, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.listStatutoryFees, async ({ db, query }) => ({
    body: await listStatutoryFees(db, query, { totals, today: clock.today() }),
  }))
}
