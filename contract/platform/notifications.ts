/** What a user is told of: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from './operation.ts'
import { page, pageQuery } from './page.ts'

export const notificationKinds = [
  'ASSIGNED',
  'MENTION',
  'APPROVAL_WAITING',
  'APPROVED',
  'REJECTED',
  'ENDED',
  'JOB_DONE',
  'JOB_FAILED',
  'PROMISE_DUE',
  'PROMISE_BROKEN',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** The maximum number that the unread ones are counted to, and that one request marks by GUID. */
export const unreadMax = 100

const optionalGuid = (title: string, description?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'uuid',
    title,
    ...(description && { description }),
    'x-field': {},
  })

const fields = {
  notificationGuid: guid('Notification'),
  kind: key(30, 'What happened', { lookup: 'notificationkind' }),
  isRead: Type.Boolean({ title: 'Read', 'x-field': {} }),
  createdAt: Type.Unsafe<string>({ type: 'string', format: 'date-time', title: 'At', 'x-field': {} }),
  count: Type.Integer({ title: 'How many', description: 'More than 1 when one act concerns several cases.' }),
  caseGuid: optionalGuid('Case', 'Null when the notification is about several cases, or about none.'),
  caseNumber: text(50, 'Case number'),
  debtorGuid: optionalGuid('Debtor'),
  debtorName: text(200, 'Debtor', { personalData: 'name' }),
  approvalGuid: optionalGuid('Request for approval'),
  act: text(30, 'Act to approve', { lookup: 'approvalact' }),
  jobId: optionalGuid('Job'),
  jobName: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 100,
    title: 'Job',
    description: 'The command or service; of other jobs their kind.',
    'x-field': {},
  }),
  actorName: text(200, 'By whom', { personalData: 'name' }),
}

export const Notification = outputSchema(fields, Object.keys(fields) as (keyof typeof fields)[], {
  $id: 'Notification',
})
export type Notification = Static<typeof Notification>

export const UnreadNotifications = Type.Object(
  {
    unread: Type.Integer({
      title: 'Unread notifications',
      maximum: unreadMax,
      description: `Counted up to ${unreadMax}, which means ${unreadMax} or more.`,
    }),
  },
  { $id: 'UnreadNotifications' },
)

export const NotificationMarks = Type.Object(
  {
    notificationGuids: Type.Optional(
      Type.Array(guid('Notification'), {
        minItems: 1,
        maxItems: unreadMax,
        description: 'Left out: all that are unread.',
      }),
    ),
    isRead: Type.Optional(Type.Boolean({ title: 'Read', default: true, description: 'Default `true`.' })),
  },
  { $id: 'NotificationMarks', additionalProperties: false },
)
export type NotificationMarks = Static<typeof NotificationMarks>

const own = { area: 'Users', access: 'session', status: 200 } as const

export const listNotifications = operation({
  ...own,
  id: 'listNotifications',
  name: 'listNotifications',
  method: 'GET',
  path: '/users/current/notifications',
  summary: "List the current user's notifications",
  description:
    'What concerns the user, newest first unless `$orderby` is given: an assigned case, a mention in a note, a request for approval that waits or is decided, a job of the user that ended, a promise to pay that is due or broken. Only about clients that the user may see. Notifications are kept for 90 days.',
  query: pageQuery,
  response: page(Notification),
  example: { query: { $filter: 'isRead eq false' } },
})
export const countNotifications = operation({
  ...own,
  id: 'countNotifications',
  name: 'countNotifications',
  method: 'GET',
  path: '/users/current/notifications/unread',
  summary: "Count the current user's unread notifications",
  description: 'Cheap enough to be asked every minute.',
  response: UnreadNotifications,
})
export const followNotifications = operation({
  ...own,
  id: 'followNotifications',
  name: 'followNotifications',
  method: 'GET',
  path: '/users/current/notifications/stream',
  summary: "Follow the current user's notifications",
  description:
    'With `Accept: text/event-stream` a stream of server-sent events: `changed` within about a second after a notification came, or was read or unread. It says nothing else: read the list or the number then. The stream ends after five minutes, and within five seconds of its session; the browser goes on by itself. A node has places for 1,000 streams, 8 of them for one user: one more is answered 503 with `Retry-After`. Without that header it answers the number of unread ones at once.',
  response: UnreadNotifications,
  eventStream: true,
  eventExample: 'event: changed\ndata: {}\n\n',
})
export const markNotifications = operation({
  ...own,
  id: 'markNotifications',
  name: 'markNotifications',
  method: 'POST',
  path: '/users/current/notifications/read',
  summary: 'Mark notifications as read or unread',
  description:
    'Answers how many are unread now. A GUID that is not one of the user’s notifications changes nothing.',
  body: NotificationMarks,
  response: UnreadNotifications,
  example: {
    body: { notificationGuids: ['0190a6f2-7c1e-4d3a-8b4e-2f6a1c9d5e70'], isRead: true },
  },
})
