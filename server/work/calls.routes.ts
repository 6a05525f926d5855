import * as contract from '../../contract/work/calls.ts'
import { listPromises as listPromisesOperation } from '../../contract/work/promises.ts'
import { serve } from '../access/serve/route.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import { requireCase } from '../cases/all-cases.store.ts'
import { requireDebtor } from '../parties/debtors/debtor-lock.ts'
import { visibleCaseCalls, visibleDebtorCalls } from './calls.scope.ts'
import { logCall } from './calls.changes.ts'
import { listCalls } from './calls.store.ts'
import { listPromises } from './promises.store.ts'

export function serveCalls(service: ServerContext): void {
  const { clock, totals } = service
  const context = () => ({ totals, today: clock.today() })

  serve(service, contract.listCaseCalls, async ({ db, caller, params: { caseGuid }, query }) => {
    await requireCase(db, caller, caseGuid)
    return { body: await listCalls(db, visibleCaseCalls(caller, caseGuid), query, context()) }
  })

  serve(service, contract.listDebtorCalls, async ({ db, caller, params, query }) => {
    const debtor = await requireDebtor(db, caller, params.debtorGuid)
    return { body: await listCalls(db, visibleDebtorCalls(caller, debtor), query, context()) }
  })

  serve(service, listPromisesOperation, async ({ db, caller, query }) => ({
    body: await listPromises(db, caller, query, context()),
  }))

  serve(service, contract.logCall, async ({ db, caller, params: { caseGuid }, body, origin }) => {
    const callGuid = await logCall(db, caller, { caseGuid, input: body }, origin)
    const query = { $filter: `callGuid eq '${callGuid}'`, $top: 1 }
    const { value } = await listCalls(db, visibleCaseCalls(caller, caseGuid), query, context())
    return { body: value[0]! }
  })
}
