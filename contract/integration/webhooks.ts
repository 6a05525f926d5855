import { Type, type Static } from 'typebox'
import { eventFilters, eventTypes } from '../platform/event-types.ts'
import {
  dateTime,
  flag,
  guid,
  inputSchema,
  key,
  outputSchema,
  text,
  listFieldNames,
} from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { Problem } from '../platform/problem.ts'

const fields = {
  webhookGuid: guid('Webhook', { readOnly: true }),
  url: key(2000, 'Address'),
  description: text(200, 'Description'),
  types: Type.Array(Type.Unsafe<string>({ type: 'string', 'x-extensible-enum': eventFilters }), {
    title: 'Types of events; all when empty',
    description:
      'Types such as `payment.registered`, or all types of an entity such as `debtor.*`. Unlisted types are refused; a later version may list more.',
    'x-field': { unfilterable: true },
  }),
  enabled: flag('Enabled'),
  cloudEvents: flag('Send as CloudEvents'),
  pausedAt: dateTime('Paused since', { readOnly: true }),
  pausedReason: text(200, 'Why it is paused', { readOnly: true }),
  createdAt: dateTime('Created at', { readOnly: true }),
}
/** The dictionary of a webhook. Only the answer to its creation has the secret. */
export const webhookFields = {
  ...fields,
  secret: text(94, 'Secret', { audit: false }),
}

export const Webhook = outputSchema(fields, listFieldNames(fields), {
  $id: 'Webhook',
})
export type Webhook = Static<typeof Webhook>

/** A member that is omitted or null stays; a list replaces the whole list. A new webhook without a secret gets one. */
export const WebhookInput = inputSchema(
  webhookFields,
  ['url', 'description', 'types', 'enabled', 'cloudEvents', 'secret'],
  { $id: 'WebhookInput' },
)
export type WebhookInput = Static<typeof WebhookInput>

const deliveryFields = {
  deliveryGuid: guid('Delivery'),
  eventGuid: guid('Event'),
  type: Type.Unsafe<string>({
    type: 'string',
    maxLength: 50,
    title: 'Type of the event',
    'x-extensible-enum': eventTypes,
    'x-field': {},
  }),
  subject: guid('Subject of the event'),
  sequence: Type.Integer({ title: 'Number among the events of the subject' }),
  status: Type.Unsafe<'waiting' | 'delivered' | 'failed'>({
    type: 'string',
    enum: ['waiting', 'delivered', 'failed'],
    title: 'Status',
  }),
  attempts: Type.Integer({ title: 'Attempts' }),
  createdAt: dateTime('Laid out at'),
  nextTryAt: dateTime('Tried next at'),
  deliveredAt: dateTime('Delivered at'),
  responseStatus: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    title: 'Status of the last answer',
    'x-field': {},
  }),
  milliseconds: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    title: 'Time that it took',
    'x-field': {},
  }),
  lastError: text(200, 'Why the last attempt failed'),
}
export const WebhookDelivery = outputSchema(deliveryFields, listFieldNames(deliveryFields), {
  $id: 'WebhookDelivery',
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** The events to deliver again. */
export const ReplayInput = Type.Object(
  {
    from: Type.Optional(dateTime('Events from this time on')),
    to: Type.Optional(dateTime('Events until this time')),
    eventGuids: Type.Optional(
      Type.Unsafe<string[] | null>({
        type: ['array', 'null'],
        maxItems: 1000,
        items: { type: 'string', format: 'uuid' },
        title: 'These events',
      }),
    ),
  },
  { $id: 'ReplayInput', additionalProperties: false },
)
export type ReplayInput = Static<typeof ReplayInput>

const ofWebhook = Type.Object({ webhookGuid: guid('Webhook') })
const administrators = { area: 'Events', access: ['system.admin'] } as const

export const listWebhooks = operation({
  id: 'listWebhooks',
  name: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  ...administrators,
  summary: 'List webhooks',
  query: pageQuery,
  status: 200,
  response: page(Webhook),
})
export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  name: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/:webhookGuid/deliveries',
  ...administrators,
  summary: "List a webhook's deliveries",
  description:
    'Newest first unless `$orderby` is given. Successful deliveries are kept for 30 days. The three days of waiting deliveries start again when a paused or disabled webhook is enabled.',
  params: ofWebhook,
  query: pageQuery,
  status: 200,
  response: page(WebhookDelivery),
  example: { query: { $filter: "status ne 'delivered'" } },
})
export const replayWebhook = operation({
  id: 'replayWebhook',
  name: 'replayWebhook',
  method: 'POST',
  path: '/webhooks/:webhookGuid/replay',
  ...administrators,
  summary: 'Replay events to a webhook',
  description:
    'Delivers events again, by time or by their GUIDs, at most 10,000 at once. Resumes a paused webhook.',
  params: ofWebhook,
  body: ReplayInput,
  status: 200,
  response: Problem,
  example: { body: { from: '2026-11-20T08:00:00Z', to: '2026-11-20T12:00:00Z' } },
})
export const pingWebhook = operation({
  id: 'pingWebhook',
  name: 'pingWebhook',
  method: 'POST',
  path: '/webhooks/:webhookGuid/ping',
  ...administrators,
  summary: 'Send a ping to a webhook',
  description:
    'Delivers the event `webhook.pinged`, signed like every other, to this webhook alone and whatever its `types`. A webhook also gets one when it is made. `listWebhookDeliveries` says how the receiver answered.',
  params: ofWebhook,
  status: 200,
  response: Problem,
  problems: ['conflict'],
})
