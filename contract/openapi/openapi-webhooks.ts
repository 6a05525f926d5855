/** What the service sends by itself: an event to a webhook. */
import { Type } from 'typebox'
import { exampleMember, type EventMemberName } from '../platform/event-data.ts'
import { eventTexts } from '../platform/event-texts.ts'
import { eventTypes, type EventType } from '../platform/event-types.ts'
import { Event } from '../platform/events.ts'
import type { JsonSchema, OperationObject, PathItem } from './openapi-document.ts'
import type { SchemaCollection } from './openapi-schemas.ts'

const exampleTime = '2026-03-02T09:30:00Z'
const guid = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'

const { position: _position, ...members } = Event.properties
/** The event as the feed gives it, with its time also under the name that Standard Webhooks uses. */
export const WebhookEvent = Type.Object(
  { ...members, timestamp: members.occurredAt },
  { $id: 'WebhookEvent' },
)

/** The same by CloudEvents 1.0, for webhooks with `cloudEvents`. */
export const CloudEvent = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: members.id,
    source: Type.String({ description: 'The event feed of this installation.' }),
    type: members.type,
    subject: members.subject,
    time: members.occurredAt,
    datacontenttype: Type.Literal('application/json'),
    dataversion: members.version,
    subjectsequence: members.sequence,
    data: members.data,
  },
  { $id: 'CloudEvent' },
)

export const webhookHeaders = {
  'webhook-id': 'The id of the event; the same in each try. Process an id once.',
  'webhook-timestamp': 'When it was sent, in seconds since 1970. Refuse what is older than five minutes.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in Base64. While the secret is being rotated there are two, separated by a space; one that fits is enough.',
}

const answers: OperationObject['responses'] = {
  '2XX': { description: 'Received. Answer within ten seconds and do the work later.' },
  default: { description: 'Not received: it is sent again, later each time.' },
}

/** The webhooks of the document, one for each type of event, by its type. */
export function describeWebhooks(schemas: SchemaCollection): Record<string, PathItem> {
  const schema = schemas.include(WebhookEvent, 'response')
  const cloudSchema = schemas.include(CloudEvent, 'response')
  return Object.fromEntries(
    eventTypes.map((type) => [type, { post: describeDelivery(type, schema, cloudSchema) }]),
  )
}

function describeDelivery(type: EventType, schema: JsonSchema, cloudSchema: JsonSchema): OperationObject {
  const { when } = eventTexts[type]
  return {
    operationId: `on${type.replaceAll(/(^|[._])([a-z])/g, (_, _sign, letter: string) => letter.toUpperCase())}`,
    tags: ['Events'],
    summary: when,
    security: [],
    parameters: Object.entries(webhookHeaders).map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema,
          example: createWebhookExample(type, exampleTime),
        },
        'application/cloudevents+json': {
          schema: cloudSchema,
          example: toCloudEvent(createWebhookExample(type, exampleTime)),
        },
      },
    },
    responses: answers,
  }
}

/** An invented event of a type as a webhook receives it. */
export function createWebhookExample(type: EventType, at: string) {
  const names = eventTexts[type].data.map((name) => name.replace('?', '') as EventMemberName)
  return {
    id: '0198f2c5-01ab-7c22-b7e4-90d1f3a5c8e6',
    type,
    version: 1,
    timestamp: at,
    occurredAt: at,
    sequence: 3,
    subject: guid,
    data: Object.fromEntries(names.map((name) => [name, exampleMember(type, name)])),
  }
}

const toCloudEvent = ({
  timestamp,
  occurredAt: _occurredAt,
  version,
  sequence,
  data,
  ...same
}: ReturnType<typeof createWebhookExample>) => ({
  specversion: '1.0',
  ...same,
  source: 'https://collections.example/api/v1/events',
  time: timestamp,
  datacontenttype: 'application/json',
  dataversion: version,
  subjectsequence: sequence,
  data,
})
