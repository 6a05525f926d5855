import * as contract from '../../contract/work/work.ts'
import { serve } from '../access/serve/route.ts'
import type { ServerContext } from '../access/serve/server-context.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Caller } from '../platform/http/caller.ts'
import { requireCase } from '../cases/all-cases.store.ts'
import { findNextStep } from '../collection/strategies/next-step/next-step.ts'
import * as changes from './work.changes.ts'
import * as store from './work.store.ts'

export function serveWork(service: ServerContext): void {
  const { clock, totals } = service
  const context = () => ({ totals, today: clock.today() })

  serve(service, contract.listWork, async ({ db, caller, query }) => ({
    body: await store.listWork(db, caller, query, context()),
  }))

  serve(service, contract.getWorkQueues, async ({ db, caller }) => ({
    body: { queues: await store.listWorkQueues(db, caller) },
  }))

  serve(service, contract.listWorkOwners, async ({ db, caller }) => ({
    body: await store.listWorkOwners(db, caller),
  }))

  serve(service, contract.takeNextWork, async ({ db, caller, origin }) => {
    const taken = await changes.takeNext(db, caller, origin)
    if (!taken) return { body: { item: null } }
    const { value } = await store.listCaseWork(db, caller, taken.caseGuid, context())
    return { body: { item: value.find(({ itemId }) => itemId === taken.itemId) ?? value[0] ?? null } }
  })

  serve(service, contract.assignWork, async ({ db, caller, body, origin }) => ({
    body: { assigned: await changes.assignCases(db, caller, body, origin) },
  }))

  serve(service, contract.completeWork, async ({ db, caller, body, origin }) => ({
    body: { done: await changes.completeWork(db, caller, body, origin) },
  }))

  const readCaseWork = async (db: Db, caller: Caller, caseGuid: string) => {
    const { version } = await requireCase(db, caller, caseGuid)
    const [handling, nextStep, items] = await Promise.all([
      store.findHandling(db, caller, caseGuid),
      findNextStep(db, caseGuid, { caller, date: clock.today() }),
      store.listCaseWork(db, caller, caseGuid, context()),
    ])
    return { body: { ...handling, nextStep, items: items.value }, version }
  }

  serve(service, contract.getCaseWork, ({ db, caller, params }) => readCaseWork(db, caller, params.caseGuid))

  serve(service, contract.setNextAction, async ({ db, caller, params, body, ifMatch, origin }) => {
    await changes.setNextAction(db, caller, { caseGuid: params.caseGuid, input: body, ifMatch }, origin)
    return readCaseWork(db, caller, params.caseGuid)
  })
}
