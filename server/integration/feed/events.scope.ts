import { caseCondition, debtorIsVisible, hidesDocuments, rowExists } from '../../access/scope/visible-rows.ts'
import { defineScope, type Bind, type Scope } from '../../platform/database/row-scope.ts'
import type { Caller } from '../../platform/http/caller.ts'

/**
 * Events: all, or those of the debtors and cases that the caller may see, without documents that the caller may not
 * see. The feed restricts the entities.
 */
const eventCondition = (caller: Caller, bind: Bind): string =>
  caller.partyIds === null
    ? 'true'
    : `(${debtorIsVisible(caller, 'e.subject', bind)}
        or ${rowExists(`debt_case c where c.id = e.subject and ${caseCondition(caller, bind)}`)})
        and ${hidesDocuments('e', bind([...caller.partyIds], 'uuid[]'))}`

export const visibleEvents = (caller: Caller): Scope<'event'> =>
  defineScope('event', (bind) => eventCondition(caller, bind))

/** The visible events about the given entities; null for every entity. */
export const visibleEventsAbout = (caller: Caller, entities: readonly string[] | null): Scope<'event'> =>
  defineScope('event', (bind) => {
    const seen = eventCondition(caller, bind)
    if (entities === null) return seen
    return `split_part(e.type, '.', 1) = any(${bind([...entities], 'text[]')}) and ${seen}`
  })

/** Webhooks: all for an administrator of the whole installation, otherwise the caller's own. */
export const visibleWebhooks = (caller: Caller): Scope<'webhook'> =>
  defineScope('webhook', (bind) =>
    caller.partyIds === null ? 'true' : `w.created_by = ${bind(caller.userId, 'uuid')}`,
  )

/** The deliveries of one webhook, which the caller has found. */
export const webhookDeliveries = (webhookGuid: string): Scope<'delivery'> =>
  defineScope('delivery', (bind) => `d.webhook_id = ${bind(webhookGuid, 'uuid')}`)
