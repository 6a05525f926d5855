/** The AsyncAPI 3 document of the events: the stream and the webhooks, with a message for each type of event. */
import { basePath } from '../api.ts'
import type { JsonSchema } from '../openapi/openapi-document.ts'
import { SchemaCollection } from '../openapi/openapi-schemas.ts'
import { securitySchemes } from '../openapi/openapi-security.ts'
import { createWebhookExample, webhookHeaders, WebhookEvent } from '../openapi/openapi-webhooks.ts'
import { createDataSchema } from '../platform/event-data.ts'
import { eventTexts } from '../platform/event-texts.ts'
import { eventEntities, eventTypes, type EventType } from '../platform/event-types.ts'
import { Event, listEvents } from '../platform/events.ts'
import type { AsyncApiDocument, Message, Reference } from './asyncapi-document.ts'
import { introduction, replyTexts } from './asyncapi-texts.ts'

const exampleTime = '2026-03-02T09:30:00Z'
const bindingVersion = '0.3.0'
const json = 'application/json'
const localHost = 'localhost:3000'

/** In which form an event comes: from the stream with its position, or to a webhook with headers. */
type Form = 'stream' | 'webhook'

/**
 * The document. `serverUrl` is the installation's origin, without a path. Without it the host is a variable.
 */
export function asyncApiDocument(options: { version: string; serverUrl?: string }): AsyncApiDocument {
  const schemas = new SchemaCollection()
  schemas.include(Event, 'response')
  schemas.include(WebhookEvent, 'response')
  const dataSchemas = eventTypes.map((type): [string, JsonSchema] => [
    dataName(type),
    createDataSchema(type, eventTexts[type].data),
  ])
  const messages = (['stream', 'webhook'] as const).flatMap((form) =>
    eventTypes.map((type): [string, Message] => [messageName(type, form), describeMessage(type, form)]),
  )
  return {
    asyncapi: '3.0.0',
    id: 'urn:fordra:events',
    info: {
      title: 'Fordra events',
      version: options.version,
      description: introduction,
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: eventEntities.map((name) => ({ name })),
    },
    defaultContentType: json,
    servers: { installation: installation(options.serverUrl), receiver },
    channels: { events: eventsChannel(), webhook: webhookChannel() },
    operations: { sendToStream, sendToWebhook },
    components: {
      schemas: { ...schemas.schemas, ...Object.fromEntries(dataSchemas) },
      messages: Object.fromEntries(messages),
      correlationIds: {
        event: {
          description: 'The id of the event: the same in the stream, in each delivery and in each retry.',
          location: '$message.payload#/id',
        },
      },
      securitySchemes: { ...signInSchemes(options.serverUrl), signature },
    },
  }
}

const pascalCase = (type: EventType) =>
  type.replaceAll(/(^|[._])([a-z])/g, (_, _sign, letter: string) => letter.toUpperCase())
const dataName = (type: EventType) => `${pascalCase(type)}Data`
const messageName = (type: EventType, form: Form) => `${form}.${type}`
const reference = (...path: string[]): Reference => ({ $ref: `#/${path.join('/')}` })
const schemaReference = (name: string) => reference('components', 'schemas', name)

function installation(serverUrl: string | undefined) {
  const security = Object.keys(signInSchemes()).map((name) =>
    reference('components', 'securitySchemes', name),
  )
  const common = { pathname: basePath, description: 'This installation.', security }
  if (serverUrl === undefined)
    return {
      host: '{host}',
      protocol: 'https',
      ...common,
      variables: {
        host: { default: localHost, description: 'Host and port of the installation.' },
      },
    }
  const { host, protocol } = new URL(serverUrl)
  return { host, protocol: protocol.replace(':', ''), ...common }
}

const receiver = {
  host: '{receiver}',
  protocol: 'https',
  description: 'Your program, at the `url` of the webhook.',
  security: [reference('components', 'securitySchemes', 'signature')],
  variables: { receiver: { default: 'receiver.example', description: 'Host and port of your program.' } },
}

const signature = {
  type: 'httpApiKey',
  in: 'header',
  name: 'webhook-signature',
  description: `Standard Webhooks. ${webhookHeaders['webhook-signature']}`,
}

/** The ways in, as AsyncAPI writes them: it takes no relative address. */
function signInSchemes(serverUrl = `https://${localHost}`): Record<string, JsonSchema> {
  const { bearer, cookie, apiUser } = securitySchemes
  const { flows, ...oauth } = apiUser!
  const { clientCredentials } = flows as { clientCredentials: JsonSchema }
  const { scopes, tokenUrl, ...flow } = clientCredentials
  const absolute = new URL(String(tokenUrl), serverUrl).href
  return {
    bearer: bearer!,
    cookie: { ...cookie!, type: 'httpApiKey' },
    apiUser: {
      ...oauth,
      flows: { clientCredentials: { ...flow, tokenUrl: absolute, availableScopes: scopes } },
    },
  }
}

const listMessages = (form: Form) =>
  Object.fromEntries(
    eventTypes.map((type) => [type, reference('components', 'messages', messageName(type, form))]),
  )

const eventsChannel = () => ({
  address: listEvents.path,
  title: 'Event stream',
  description: `${listEvents.description} A message is the \`data\` of a server-sent event, or one of \`value\` in a page.`,
  servers: [reference('servers', 'installation')],
  messages: listMessages('stream'),
  bindings: { http: { bindingVersion } },
})

const webhookChannel = () => ({
  address: null,
  title: 'Webhook',
  description:
    'A signed POST for each event of the chosen types. The address is the `url` of the webhook. A webhook with `cloudEvents` gets the same as CloudEvents 1.0 (`application/cloudevents+json`).',
  servers: [reference('servers', 'receiver')],
  messages: listMessages('webhook'),
})

/** A query parameter set without what only a reader of the OpenAPI document needs. */
const query = new SchemaCollection().include(listEvents.query, 'request')

const sendToStream = {
  action: 'send' as const,
  channel: reference('channels', 'events'),
  title: 'Follow events',
  summary: 'Sends the events that the caller may see, in an order that skips nothing.',
  description: replyTexts.stream,
  bindings: { http: { method: 'GET', query, bindingVersion } },
}

const sendToWebhook = {
  action: 'send' as const,
  channel: reference('channels', 'webhook'),
  title: 'Deliver an event',
  summary: 'Sends an event to a webhook, and repeats it for three days until it is answered with 2xx.',
  description: replyTexts.webhook,
  bindings: { http: { method: 'POST', bindingVersion } },
}

function describeMessage(type: EventType, form: Form): Message {
  const { when } = eventTexts[type]
  const base = form === 'stream' ? 'Event' : 'WebhookEvent'
  return {
    name: type,
    title: type,
    summary: when,
    contentType: json,
    tags: [{ name: type.split('.')[0]! }],
    correlationId: reference('components', 'correlationIds', 'event'),
    ...(form === 'webhook' && {
      headers: headerSchema,
      bindings: { http: { headers: headerSchema, bindingVersion } },
    }),
    payload: {
      allOf: [
        schemaReference(base),
        {
          type: 'object',
          required: ['type', 'data'],
          properties: { type: { type: 'string', const: type }, data: schemaReference(dataName(type)) },
        },
      ],
    },
    examples: [{ name: 'example', summary: when, ...createExample(type, form) }],
  }
}

const headerSchema: JsonSchema = {
  type: 'object',
  required: Object.keys(webhookHeaders),
  properties: Object.fromEntries(
    Object.entries(webhookHeaders).map(([name, description]) => [name, { type: 'string', description }]),
  ),
}

function createExample(type: EventType, form: Form) {
  const payload = createWebhookExample(type, exampleTime)
  if (form === 'stream') {
    const { timestamp: _timestamp, ...event } = payload
    return { payload: { position: 4711, ...event } }
  }
  const headers = {
    'webhook-id': payload.id,
    'webhook-timestamp': String(Date.parse(exampleTime) / 1000),
    'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }
  return { headers, payload }
}
