import * as contract from '../../../contract/parties/holding-lists.ts'
import { customProperties } from '../../platform/dictionary/custom-properties.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import * as lists from './holding-lists.store.ts'

export function serveHoldings(service: ServerContext): void {
  const { clock, customFields, totals } = service
  const loadContext = async ({ entity }: { entity: string }) => ({
    totals,
    today: clock.today(),
    customFields: customProperties(await customFields.of(entity), 'h'),
  })

  serve(service, contract.listThirdParties, async ({ db, caller, query }) => ({
    body: await lists.thirdParties.read(db, caller, query, await loadContext(lists.thirdParties)),
  }))
  serve(service, contract.listAccounts, async ({ db, caller, query }) => ({
    body: await lists.accounts.read(db, caller, query, await loadContext(lists.accounts)),
  }))
  serve(service, contract.listCustomers, async ({ db, caller, query }) => ({
    body: await lists.customers.read(db, caller, query, await loadContext(lists.customers)),
  }))
  serve(service, contract.listPurchases, async ({ db, caller, query }) => ({
    body: await lists.purchases.read(db, caller, query, await loadContext(lists.purchases)),
  }))
  serve(service, contract.listObjects, async ({ db, caller, query }) => ({
    body: await lists.objects.read(db, caller, query, await loadContext(lists.objects)),
  }))
}
