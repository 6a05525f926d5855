/** Which notifications a user gets by e-mail: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { notificationKinds, type NotificationKind } from './notifications.ts'
import { operation } from './operation.ts'

export const notificationDeliveries = ['NONE', 'AT_ONCE', 'DAILY'] as const
export type NotificationDelivery = (typeof notificationDeliveries)[number]

/** The hour in the system's time zone at which daily e-mails leave. */
export const dailyHour = 7

const choice = {
  kind: Type.Unsafe<NotificationKind>({
    type: 'string',
    enum: [...notificationKinds],
    title: 'What happened',
  }),
  delivery: Type.Unsafe<NotificationDelivery>({
    type: 'string',
    enum: [...notificationDeliveries],
    title: 'By e-mail',
    description: `Not at all, within minutes, or once a day at ${dailyHour} o'clock in the system's time zone.`,
  }),
}

export const NotificationChoice = Type.Object(choice, { $id: 'NotificationChoice' })
export type NotificationChoice = Static<typeof NotificationChoice>

export const NotificationEmails = Type.Object(
  {
    isAvailable: Type.Boolean({
      description: 'False without a mail server or the public address of the console. Nothing is sent then.',
    }),
    isConfirmed: Type.Boolean({
      description: 'True if the user has confirmed the present e-mail address. Nothing is sent to another.',
    }),
    choices: Type.Array(NotificationChoice, { description: 'One for each kind.' }),
  },
  { $id: 'NotificationEmails' },
)
export type NotificationEmails = Static<typeof NotificationEmails>

export const NotificationChoices = Type.Object(
  {
    choices: Type.Array(Type.Object(choice, { additionalProperties: false }), {
      minItems: 1,
      maxItems: notificationKinds.length,
      description: 'Each kind at most once. A kind that is left out keeps its choice.',
    }),
  },
  { $id: 'NotificationChoices', additionalProperties: false },
)
export type NotificationChoices = Static<typeof NotificationChoices>

const own = {
  area: 'Users',
  access: 'session',
  status: 200,
  path: '/users/current/notifications/email',
} as const

export const getNotificationEmails = operation({
  ...own,
  id: 'getNotificationEmails',
  name: 'getNotificationEmails',
  method: 'GET',
  summary: 'Get which notifications the current user gets by e-mail',
  response: NotificationEmails,
})
export const updateNotificationEmails = operation({
  ...own,
  id: 'updateNotificationEmails',
  name: 'updateNotificationEmails',
  method: 'PUT',
  summary: 'Choose which notifications come by e-mail',
  description:
    'The e-mail counts unread notifications by kind and links to the console; it names nobody. It is sent to a confirmed address only (`sendEmailCode`, `confirmEmail`), and counts what the user may see when it leaves. Each notification is sent at most once. 422 without a mail server or a public address.',
  body: NotificationChoices,
  response: NotificationEmails,
  problems: ['unprocessable'],
  example: {
    body: {
      choices: [
        { kind: 'ASSIGNED', delivery: 'DAILY' },
        { kind: 'APPROVAL_WAITING', delivery: 'AT_ONCE' },
      ],
    },
  },
})
