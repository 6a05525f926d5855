import { listLookupValues, LookupValueChange, lookupValueFields, LookupValueInput } from '../lookup-values.ts'
import { noteFields, NoteInput } from '../../parties/notes.ts'
import { listSchedules, scheduleFields, ScheduleInput } from '../../platform/schedules.ts'
import { systemSettingFields, SystemSettings } from '../system-settings.ts'
import { listWebhooks, webhookFields, WebhookInput } from '../../integration/webhooks.ts'
import { form, type Access } from './form.ts'

const administer: Access = { access: ['lookup.write'], unrestricted: true }
const lookupValue = {
  entity: 'lookupvalue',
  fields: lookupValueFields,
  groups: [
    {
      code: 'lookupvalue',
      columns: 2,
      noTopDivider: true,
      fields: ['lookupCode', 'lookupKey', 'position'],
    },
    {
      code: 'labels',
      columns: 2,
      fields: ['textEn', 'textSv', 'textNo', 'textDa', 'textFi', 'textDe'],
    },
  ],
  keys: ['lookupValueGuid'],
  open: administer,
  list: listLookupValues,
  required: ['lookupCode', 'lookupKey'],
} as const

export const lookupValueCreate = form({
  ...lookupValue,
  type: 'create',
  takes: {},
  submit: { ...administer, method: 'POST', body: LookupValueInput },
})
export const lookupValueEdit = form({
  ...lookupValue,
  type: 'edit',
  takes: { id: 'lookup value' },
  record: 'id',
  submit: { ...administer, method: 'PATCH', body: LookupValueChange },
  remove: administer,
})

/** Users who may change one kind of subject; of these the service asks the right to the subject of the note itself. Field collectors write notes too. */
const write: Access = { access: ['debtor.write', 'case.write', 'client.write'], roles: [14] }
const note = {
  entity: 'note',
  fields: noteFields,
  keys: ['noteGuid'],
  required: ['text'],
} as const
const text = { code: 'note', columns: 1, noTopDivider: true } as const

export const noteCreate = form({
  ...note,
  type: 'create',
  groups: [{ ...text, fields: ['text', 'followUpDate', 'shownToClient'] }],
  takes: { id: 'item' },
  open: write,
  submit: { ...write, method: 'POST', body: NoteInput },
})
export const noteEdit = form({
  ...note,
  type: 'edit',
  groups: [{ ...text, fields: ['text', 'followUpDate', 'shownToClient', 'createdAt', 'createdBy'] }],
  takes: { id: 'item', subId: 'note' },
  record: 'subId',
  open: { access: ['debtor.read', 'case.read', 'client.read'] },
  submit: { ...write, method: 'PATCH', body: NoteInput },
  remove: write,
})

const settings: Access = { access: ['system.admin'], unrestricted: true }
const webhooks: Access = { access: ['system.admin'] }
export const systemSettingsEdit = form({
  entity: 'systemsettings',
  noun: 'set of system settings',
  type: 'edit',
  fields: systemSettingFields,
  groups: [
    {
      code: 'defaults',
      columns: 2,
      noTopDivider: true,
      fields: ['countryCode', 'currencyCode', 'languageCode', 'tolerance'],
    },
    {
      code: 'plans',
      columns: 2,
      fields: ['firstDueDays', 'graceDays', 'missesToBreach', 'registrationFee', 'invoiceFee', 'reminderFee'],
    },
    {
      code: 'contactrules',
      columns: 2,
      fields: ['contactsPerWeek', 'contactsUnlimited', 'proposedContactRules', 'answerDays'],
    },
    {
      code: 'contactprices',
      columns: 2,
      fields: ['letterPrice', 'emailPrice', 'smsPrice', 'callPrice'],
    },
  ],
  keys: [],
  takes: {},
  record: 'only',
  open: settings,
  submit: { ...settings, method: 'PATCH', body: SystemSettings },
})

const webhook = {
  entity: 'webhook',
  fields: webhookFields,
  keys: ['webhookGuid'],
  open: webhooks,
  list: listWebhooks,
  required: ['url'],
  lists: { types: ',' },
} as const
const target = { code: 'webhook', columns: 2, noTopDivider: true } as const
const written = ['url', 'description', 'types', 'enabled', 'cloudEvents', 'secret'] as const

export const webhookCreate = form({
  ...webhook,
  type: 'create',
  groups: [{ ...target, fields: written }],
  takes: {},
  submit: { ...webhooks, method: 'POST', body: WebhookInput },
})
export const webhookEdit = form({
  ...webhook,
  type: 'edit',
  groups: [
    { ...target, fields: written },
    { code: 'record', columns: 2, fields: ['pausedAt', 'pausedReason', 'createdAt'] },
  ],
  takes: { id: 'webhook' },
  record: 'id',
  submit: { ...webhooks, method: 'PATCH', body: WebhookInput },
  remove: webhooks,
})

const schedule = {
  entity: 'schedule',
  fields: scheduleFields,
  keys: ['scheduleGuid'],
  open: settings,
  list: listSchedules,
  required: ['command', 'cron'],
  lists: { argument: ',' },
} as const
const planned = {
  code: 'schedule',
  columns: 2,
  noTopDivider: true,
  fields: ['command', 'argument', 'cron', 'enabled', 'description'],
} as const

export const scheduleCreate = form({
  ...schedule,
  type: 'create',
  groups: [planned],
  takes: {},
  submit: { ...settings, method: 'POST', body: ScheduleInput },
})
export const scheduleEdit = form({
  ...schedule,
  type: 'edit',
  groups: [planned, { code: 'record', columns: 2, fields: ['nextRunAt', 'lastRunAt', 'createdAt'] }],
  takes: { id: 'schedule' },
  record: 'id',
  submit: { ...settings, method: 'PATCH', body: ScheduleInput },
  remove: settings,
})
