import { Type, type Static } from 'typebox'
import { dateTime, guid } from '../metadata/fields.ts'
import { eventTypes, type EventFilters, type ReceivedEventType } from './event-types.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'

export const Event = Type.Object(
  {
    position: Type.Integer({
      description:
        'The value for `after`. Positions do not always increase: rely on the order of the answer.',
    }),
    id: guid('Event'),
    type: Type.Unsafe<ReceivedEventType>({
      type: 'string',
      maxLength: 50,
      title: 'Type, such as debtor.updated',
      description:
        'One of the listed types; the guide on events explains each. A later version may have more: ignore unknown ones.',
      'x-extensible-enum': eventTypes,
      'x-field': {},
    }),
    version: Type.Integer({ description: 'The version of the schema of `data`.' }),
    occurredAt: dateTime('When'),
    sequence: Type.Integer({ description: 'Number among the events of the subject, without gaps.' }),
    subject: guid('The record whose events are numbered: for an address its debtor'),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Identifiers and names of members; never personal data.',
    }),
  },
  { $id: 'Event' },
)
export type Event = Static<typeof Event>

/** `debtor.*` or `debtor.updated`. */
const typePattern = '[a-z]+\\.(\\*|[a-z_]+)'

const query = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Only events after this position: `next` of the previous answer.',
      }),
    ),
    types: Type.Optional(
      Type.Unsafe<EventFilters>({
        type: 'string',
        maxLength: 1000,
        pattern: `^${typePattern}(,${typePattern})*$`,
        description:
          'Types, comma-separated, each a type or an entity with a star: `debtor.*,payment.registered`. Unknown types are refused with 400, which suggests similar ones.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'Events at most.' }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30,
        default: 0,
        description: 'Seconds to wait for an event when there is none (long poll).',
      }),
    ),
  },
  { additionalProperties: false },
)

export const listEvents = operation({
  id: 'listEvents',
  name: 'listEvents',
  method: 'GET',
  path: '/events',
  area: 'Events',
  summary: 'List events',
  description:
    'What happened, in an order that skips nothing: an event appears when every transaction that began before its own has ended. Of a subject it is the order of `sequence`. Only what the caller may see. With `Accept: text/event-stream` a stream of server-sent events, which ends after a minute: the browser goes on by itself, others send `Last-Event-ID`. A stream or a waiting request ends within a second of its session, and follows changed rights within a second. A node has places for 64 who wait or follow a stream, 16 of them for one user or API client: beyond them a stream, and a long poll that would have to wait, is answered 503 with `Retry-After`. Whose connection ends gives the place back.',
  access: ['debtor.read', 'case.read', 'payment.read', 'user.read', 'system.admin'],
  query,
  headers: {
    'Last-Event-ID': 'To continue a stream: the `id` of its last event, used as `after`.',
  },
  status: 200,
  response: Type.Object(
    {
      next: Type.Integer({ description: 'Send it as `after` to get the events that follow.' }),
      value: Type.Array(Event),
    },
    { $id: 'EventPage' },
  ),
  eventStream: true,
  example: { query: { after: 4711, types: 'debtor.*,address.*', wait: 30 } },
})

export const searchEvents = operation({
  id: 'searchEvents',
  name: 'searchEvents',
  method: 'GET',
  path: '/events/search',
  area: 'Events',
  summary: 'Search events',
  description:
    'For people: newest first unless `$orderby` is given. Programs should read `GET /events`, which skips nothing. Only events that the caller may see.',
  access: ['debtor.read', 'case.read', 'payment.read', 'user.read', 'system.admin'],
  query: pageQuery,
  status: 200,
  response: Type.Object(page(Event).properties, { $id: 'FoundEvents' }),
  example: { query: { $filter: "startswith(type,'payment.') and occurredAt ge 2026-11-01" } },
})
