import * as contract from '../../../contract/integration/webhooks.ts'
import type { ReplayInput } from '../../../contract/integration/webhooks.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import { ApiError, done, invalid, notFound } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { typeCondition, readTypes } from './event-feed.ts'
import { resumeWebhook } from './webhooks.changes.ts'
import { findWebhook, listDeliveries, listWebhooks } from './webhooks.store.ts'

const replayMax = 10_000

export function serveWebhooks(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listWebhooks, async ({ db, query }) => ({
    body: await listWebhooks(db, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.listWebhookDeliveries, async ({ db, params: { webhookGuid }, query }) => {
    if (!(await findWebhook(db, webhookGuid))) throw notFound('webhook')
    return { body: await listDeliveries(db, webhookGuid, query, { totals, today: clock.today() }) }
  })

  serve(service, contract.replayWebhook, async ({ db, params: { webhookGuid }, body, origin, path }) => {
    const count = await inTransaction(db, async (tx) => {
      const webhook = await findWebhook(tx, webhookGuid)
      if (!webhook) throw notFound('webhook')
      const laidOut = await replayEvents(tx, webhookGuid, { ...body, types: webhook.types })
      const changes = { replayed: [null, laidOut] as [unknown, unknown] }
      const entry = {
        entity: 'webhook',
        action: 'replayed',
        entityId: webhookGuid,
        subject: webhookGuid,
        changes,
      }
      await insertAuditEntry(tx, origin, entry)
      await resumeWebhook(tx, webhookGuid)
      return laidOut
    })
    return { body: done(`${count} events will be delivered again.`, path) }
  })
}

async function replayEvents(
  tx: Db,
  webhookGuid: string,
  { from, to, eventGuids, types }: ReplayInput & { types: string[] },
): Promise<number> {
  if (!from && !eventGuids) {
    throw invalid({ from: ['is required unless eventGuids is given.'] })
  }
  const wanted = typeCondition(readTypes(types), 6)
  const made = await runStatement(
    tx,
    `insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence)
     select gen_random_uuid(), $1, e.position, e.id, e.type, e.subject, e.sequence from event e
     where ($2::timestamptz is null or e.occurred_at >= $2::timestamptz) and ($3::timestamptz is null or e.occurred_at <= $3::timestamptz)
       and ($4::uuid[] is null or e.id = any($4::uuid[])) and ${wanted.text}
     order by e.xid, e.position limit $5`,
    [webhookGuid, from || null, to || null, eventGuids ?? null, replayMax + 1, ...wanted.parameters],
  )
  if (made.count <= replayMax) return made.count
  throw new ApiError(
    'unprocessable',
    `The replay would cover more than ${replayMax} events. Choose a shorter time.`,
  )
}
