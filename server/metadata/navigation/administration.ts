/** What administrators set up, and what they watch. */
import { form, operation, type Section } from './section.ts'

export const setUp: readonly Section[] = [
  {
    code: 'firststeps',
    url: '/setup',
    icon: 'flag',
    places: [{ code: 'firststeps-all', url: '/setup', opens: operation('listSetupSteps') }],
  },
  {
    code: 'users',
    url: '/users',
    icon: 'user-cog',
    places: [
      {
        code: 'users-list',
        url: '/users',
        opens: operation('listUsers'),
      },
      {
        code: 'users-create',
        url: '/users/new',
        opens: operation('createUser'),
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
        code: 'settings-templates',
        url: '/letter-templates',
        opens: operation('createLetterTemplate'),
      },
      {
        code: 'settings-trials',
        url: '/trials',
        opens: operation('createTrial'),
      },
      {
        code: 'settings-webhooks',
        url: '/webhooks',
        opens: operation('listWebhooks'),
      },
    ],
  },
]

export const monitoring: readonly Section[] = [
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
        opens: operation('runCommand'),
      },
      {
        code: 'settings-schedules',
        url: '/schedules',
        opens: operation('listSchedules'),
      },
    ],
  },
  {
    code: 'messages',
    url: '/outbox',
    icon: 'mail',
    places: [
      {
        code: 'settings-outbox',
        url: '/outbox',
        opens: operation('listMessages'),
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
    code: 'lawreview',
    url: '/law-findings',
    icon: 'scale',
    places: [{ code: 'lawreview-findings', url: '/law-findings', opens: operation('confirmLawFindings') }],
  },
  {
    code: 'system',
    url: '/system',
    icon: 'info',
    places: [
      {
        code: 'settings-information',
        url: '/system',
        opens: operation('getSystemInformation'),
      },
    ],
  },
]
