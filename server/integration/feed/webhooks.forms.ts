import * as layout from '../../../contract/metadata/forms/system.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { insertPing } from './webhook-ping.ts'
import { changeWebhook, createWebhook, removeWebhook } from './webhooks.changes.ts'
import { findWebhook } from './webhooks.store.ts'

export const webhookForms = ({ settings, outbound }: ServerContext): FormHandler[] => [
  handle(layout.webhookCreate, {
    defaults: () => ({ enabled: true, types: [] }),
    create: async ({ db, caller, body, origin }) => {
      const context = { origin, settings, outbound }
      const { webhookGuid, secret } = await inTransaction(db, async (tx) => {
        const made = await createWebhook(tx, caller, body, context)
        if (body.enabled !== false) await insertPing(tx, made.webhookGuid, origin)
        return made
      })
      const webhook = await findWebhook(db, caller, webhookGuid)
      return { record: { ...webhook, secret }, version: 1, secrets: ['secret'] }
    },
  }),
  handle(layout.webhookEdit, {
    find: async ({ db, caller, id }) => {
      const webhook = await findWebhook(db, caller, id)
      if (!webhook) throw notFound('webhook')
      return { record: webhook, version: webhook.version }
    },
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changeWebhook(db, caller, id, body, { origin, settings, outbound }, ifMatch),
    remove: ({ db, caller, id, origin, ifMatch }) => removeWebhook(db, caller, id, origin, ifMatch),
  }),
]
