import * as contract from '../../../contract/treasury/payouts.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { dueByCurrency, listLeftOut, makePayout } from './payouts.changes.ts'
import * as store from './payouts.store.ts'

export function servePayouts(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.createPayout, async ({ db, caller, body, origin }) => {
    if (caller.partyIds !== null)
      throw new ApiError(
        'forbidden',
        'Payouts belong to the agency. A user restricted to clients cannot create one.',
      )
    const guid = await makePayout(db, caller, body, origin)
    return { body: await readDetail(db, caller, guid, clock.today()), location: `/payouts/${guid}` }
  })

  serve(service, contract.getPayoutsDue, async ({ db, caller }) => {
    const today = clock.today()
    const due = caller.partyIds === null ? await store.listDue(db, null, today) : []
    return { body: { asOf: toMidnight(today), value: dueByCurrency(due) } }
  })

  serve(service, contract.listPayouts, async ({ db, caller, query }) => ({
    body: await store.listPayouts(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.getPayout, async ({ db, caller, params }) => ({
    body: await readDetail(db, caller, params.payoutBatchGuid, clock.today()),
  }))

  serve(service, contract.getPayoutFile, async ({ db, caller, params: { payoutBatchGuid } }) => {
    await store.requirePayout(db, caller, payoutBatchGuid)
    if (service.sandbox)
      throw new ApiError('conflict', 'This is a sandbox: no bank file leaves it. The payout is booked.')
    return { body: Buffer.from(await store.findPayoutContent(db, payoutBatchGuid)) }
  })
}

async function readDetail(
  db: Db,
  caller: Caller,
  guid: string,
  today: string,
): Promise<contract.PayoutBatchDetail> {
  const batch = await store.requirePayout(db, caller, guid)
  const lines = await store.listPayoutLines(db, guid)
  const due = await store.listDue(db, batch.currencyCode!, today)
  return { ...batch, lines, leftOut: listLeftOut(due, batch.currencyCode!) }
}
