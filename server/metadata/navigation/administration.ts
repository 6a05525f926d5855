/** What administrators look after. */
import { form, operation, type Section } from './section.ts'

export const administration: readonly Section[] = [
  {
    code: 'users',
    url: '/users',
    icon: 'user-cog',
    places: [
      {
        code: 'users-list',
        url: '/users',
        opens: operation('U8'),
      },
      {
        code: 'users-create',
        url: '/users/new',
        opens: operation('U9'),
      },
      {
        code: 'users-groups',
        url: '/access',
        opens: operation('listAccessGroups'),
      },
    ],
  },
  {
    code: 'imports',
    url: '/import',
    icon: 'upload',
    places: [{ code: 'imports-file', url: '/import', opens: operation('uploadFile') }],
  },
  {
    code: 'jobs',
    url: '/jobs',
    icon: 'clock',
    places: [
      {
        code: 'jobs-list',
        url: '/jobs',
        opens: operation('listJobs'),
      },
      {
        code: 'jobs-commands',
        url: '/jobs/commands',
        opens: operation('S11'),
      },
    ],
  },
  {
    code: 'audit',
    url: '/audit',
    icon: 'shield',
    places: [
      {
        code: 'audit-list',
        url: '/audit',
        opens: operation('listAuditEntries'),
      },
      {
        code: 'audit-events',
        url: '/events',
        opens: operation('searchEvents'),
      },
    ],
  },
  {
    code: 'settings',
    url: '/settings',
    icon: 'settings',
    places: [
      {
        code: 'settings-system',
        url: '/settings',
        opens: form('systemsettings', 'edit'),
      },
      {
        code: 'settings-lookups',
        url: '/lookups',
        opens: operation('listLookupValues'),
      },
      {
        code: 'settings-fields',
        url: '/fields',
        opens: operation('listUserFields'),
      },
      {
        code: 'settings-rates',
        url: '/rates',
        opens: operation('listInterestRates'),
      },
      {
        code: 'settings-strategies',
        url: '/strategies',
        opens: operation('createStrategy'),
      },
      {
        code: 'settings-schedules',
        url: '/schedules',
        opens: operation('listSchedules'),
      },
      {
        code: 'settings-webhooks',
        url: '/webhooks',
        opens: operation('listWebhooks'),
      },
      {
        code: 'settings-outbox',
        url: '/outbox',
        opens: operation('listMessages'),
      },
      {
        code: 'settings-information',
        url: '/system',
        opens: operation('S10'),
      },
    ],
  },
]
