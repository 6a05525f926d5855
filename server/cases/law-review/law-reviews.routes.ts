import * as contract from '../../../contract/cases/law-reviews.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { confirmFindings } from './confirm-findings.ts'
import { listLawFindings, listLawReviews } from './law-reviews.store.ts'

export function serveLawReviews(service: ServerContext): void {
  const { clock, totals } = service
  const context = () => ({ totals, today: clock.today() })

  serve(service, contract.listLawReviews, async ({ db, query }) => ({
    body: await listLawReviews(db, query, context()),
  }))

  serve(service, contract.listLawFindings, async ({ db, caller, query }) => ({
    body: await listLawFindings(db, caller, query, context()),
  }))

  serve(service, contract.confirmLawFindings, async ({ db, caller, body, origin }) => ({
    body: await confirmFindings(db, caller, body, origin),
  }))
}
