import * as contract from '../../../contract/integration/webhooks.ts'
import type { ReplayInput } from '../../../contract/integration/webhooks.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertAuditEntry } from '../../platform/events/audit-entry.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError, done, invalid } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { typeCondition, readTypes } from './event-feed.ts'
import { pingWebhook } from './webhook-ping.ts'
import { resumeWebhook } from './webhooks.changes.ts'
import { lostOwner, ownerCondition, requireWebhook } from './webhook-owner.ts'
import { listDeliveries, listWebhooks } from './webhooks.store.ts'

const replayMax = 10_000

export function serveWebhooks(service: ServerContext): void {
  const { clock, totals } = service

  serve(service, contract.listWebhooks, async ({ db, caller, query }) => ({
    body: await listWebhooks(db, caller, query, { totals, today: clock.today() }),
  }))

  serve(service, contract.listWebhookDeliveries, async ({ db, caller, params: { webhookGuid }, query }) => {
    await requireWebhook(db, caller, webhookGuid)
    return { body: await listDeliveries(db, webhookGuid, query, { totals, today: clock.today() }) }
  })

  serve(service, contract.pingWebhook, async ({ db, caller, params: { webhookGuid }, origin, path }) => {
    const eventGuid = await pingWebhook(db, caller, webhookGuid, origin)
    return { body: done(`The ping ${eventGuid} is on its way. The deliveries say how it went.`, path) }
  })

  serve(
    service,
    contract.replayWebhook,
    async ({ db, caller, params: { webhookGuid }, body, origin, path }) => {
      const count = await inTransaction(db, async (tx) => {
        const { webhook, owner } = await requireWebhook(tx, caller, webhookGuid)
        if (!owner) throw new ApiError('conflict', `The webhook cannot deliver. ${lostOwner}`)
        const laidOut = await replayEvents(tx, webhookGuid, owner, { ...body, types: webhook.types })
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
    },
  )
}

async function replayEvents(
  tx: Db,
  webhookGuid: string,
  owner: Caller,
  { from, to, eventGuids, types }: ReplayInput & { types: string[] },
): Promise<number> {
  if (!from && !eventGuids) {
    throw invalid({ from: ['is required unless eventGuids is given.'] })
  }
  const wanted = typeCondition(readTypes(types), 6)
  const seen = ownerCondition(owner, 6 + wanted.parameters.length)
  const made = await runStatement(
    tx,
    `insert into webhook_delivery (id, webhook_id, position, event_id, type, subject, sequence)
     select gen_random_uuid(), $1, e.position, e.id, e.type, e.subject, e.sequence from event e
     where ($2::timestamptz is null or e.occurred_at >= $2::timestamptz) and ($3::timestamptz is null or e.occurred_at <= $3::timestamptz)
       and ($4::uuid[] is null or e.id = any($4::uuid[])) and ${wanted.text} and ${seen.text}
     order by e.xid, e.position limit $5`,
    [
      webhookGuid,
      from || null,
      to || null,
      eventGuids ?? null,
      replayMax + 1,
      ...wanted.parameters,
      ...seen.parameters,
    ],
  )
  if (made.count <= replayMax) return made.count
  throw new ApiError(
    'unprocessable',
    `The replay would cover more than ${replayMax} events. Choose a shorter time.`,
  )
}
