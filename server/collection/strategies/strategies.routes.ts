import * as contract from '../../../contract/collection/strategies.ts'
import { simulateStrategy } from '../../../contract/collection/strategy-simulation.ts'
import { findClient } from '../../parties/clients/clients.store.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import { done, invalid, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { simulate } from './simulate.ts'
import type { CallableService } from './actions.rules.ts'
import { changeStrategy, createStrategy, removeStrategy } from './strategies.changes.ts'
import { assignStrategy, findStrategy, findPartyStrategy, listStrategies } from './strategies.store.ts'

/** `services` are the custom services for debtors. */
export function serveStrategies(service: ServerContext, services: readonly CallableService[]): void {
  serve(service, contract.listStrategies, async ({ db, caller }) => ({
    body: { value: await listStrategies(db, caller.partyIds) },
  }))

  serve(service, contract.getStrategy, async ({ db, caller, params, query }) => {
    const found = await findStrategy(db, params.strategyGuid, {
      version: query.version ?? null,
      partyIds: caller.partyIds,
    })
    if (!found) throw notFound('strategy')
    return { body: found, version: found.version }
  })

  serve(service, contract.createStrategy, async ({ db, body, origin }) => {
    const strategyGuid = await createStrategy(db, body, { origin, services })
    return { body: (await findStrategy(db, strategyGuid))!, location: `/strategies/${strategyGuid}` }
  })

  serve(service, contract.updateStrategy, async ({ db, params, body, origin, ifMatch }) => {
    const version = await changeStrategy(db, params.strategyGuid, body, { origin, services }, ifMatch)
    return { body: (await findStrategy(db, params.strategyGuid))!, version }
  })

  serve(service, contract.deleteStrategy, async ({ db, params, origin, ifMatch, path }) => {
    await removeStrategy(db, params.strategyGuid, origin, ifMatch)
    return { body: done('The strategy is deleted.', path) }
  })

  serve(service, simulateStrategy, async ({ db, body }) => {
    const { FORDRA_COUNTRY: countryCode, FORDRA_CURRENCY: currencyCode } = service.settings
    const environment = { countryCode, currencyCode }
    return { body: await simulate(db, body, { today: service.clock.today(), services, environment }) }
  })

  serveAssignment(service)
}

function serveAssignment(service: ServerContext): void {
  serve(service, contract.assignStrategy, async ({ db, caller, params, body, origin, path }) => {
    const { clientGuid } = params
    await inTransaction(db, async (tx) => {
      if (!(await findClient(tx, caller, clientGuid, { lock: true }))) throw notFound('client')
      if (typeof body.strategy !== 'string')
        throw invalid({ strategy: ['is required. Send an empty text for no strategy.'] })
      const code = body.strategy.trim() || null
      const known = (await listStrategies(tx)).map((one) => one.code)
      if (code !== null && !known.includes(code))
        throw invalid({ strategy: [`must be one of ${known.join(', ')}, or an empty text for no strategy.`] })
      const before = await findPartyStrategy(tx, clientGuid)
      if (before === code) return
      await assignStrategy(tx, clientGuid, code)
      await insertAuditEntry(tx, origin, {
        entity: 'client',
        action: 'strategy_assigned',
        entityId: clientGuid,
        subject: clientGuid,
        changes: { strategy: [before, code] },
      })
    })
    return { body: done('The client has the strategy.', path) }
  })
}
