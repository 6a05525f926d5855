import * as contract from '../../contract/strategies.ts'
import { findClient } from '../clients/clients.store.ts'
import { inTransaction } from '../database/transaction.ts'
import { insertAuditEntry } from '../events/audit-entry.ts'
import { done, invalid, notFound } from '../http/errors.ts'
import { serve } from '../http/route.ts'
import type { Service } from '../http/service.ts'
import { assignStrategy, findStrategyOf, listStrategies } from './strategies.store.ts'

export function serveStrategies(service: Service): void {
  serve(service, contract.listStrategies, async ({ db }) => ({ body: { value: await listStrategies(db) } }))

  serve(service, contract.assignStrategy, async ({ db, caller, params, body, origin, path }) => {
    const { clientGuid } = params
    await inTransaction(db, async (tx) => {
      if (!(await findClient(tx, caller, clientGuid, { lock: true }))) throw notFound('client')
      if (typeof body.strategy !== 'string') throw invalid({ strategy: ['is required; empty for none.'] })
      const code = body.strategy.trim() || null
      const known = (await listStrategies(tx)).map((one) => one.code)
      if (code !== null && !known.includes(code))
        throw invalid({ strategy: [`must be one of ${known.join(', ')}, or empty for none.`] })
      const before = await findStrategyOf(tx, clientGuid)
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
