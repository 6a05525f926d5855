import { Type, type Static } from 'typebox'
import { date } from './fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const SystemInformation = Type.Object(
  {
    version: Type.String({ description: 'Of the running build, as MAJOR.MINOR.PATCH.' }),
    copyright: Type.String(),
    fullCopyright: Type.String(),
    systemName: Type.String(),
    systemDescription: Type.String(),
    licensedTo: textOrNull('The agency that runs this installation.'),
    customerNo: textOrNull('Its customer number.'),
    languages: Type.String({ description: 'Languages of labels and texts, comma-separated.' }),
    systemTimeZoneCode: Type.String({ description: 'IANA name.' }),
    systemTimeZoneDescription: Type.String(),
    systemTimeZone: Type.Integer({ description: 'Minutes ahead of UTC on the system date.' }),
    validUntilCollect: date('Collection licensed until'),
    validUntilEdge: date('Edge licensed until'),
    validUntilCredit: date('Credit licensed until'),
    systemDate: Type.String({
      format: 'date-time',
      description: 'The business date.',
      'x-field': { kind: 'date' },
    }),
    sandbox: Type.Boolean({
      description: 'True for a copy of an installation that sends nothing and has a clock of its own.',
    }),
  },
  { $id: 'SystemInformation' },
)
export type SystemInformation = Static<typeof SystemInformation>

export const getSystemInformation = operation({
  id: 'S10',
  name: 'getSystemInformation',
  method: 'GET',
  path: '/system/information',
  area: 'System',
  summary: 'Get system information',
  access: ['system.read'],
  status: 200,
  response: SystemInformation,
})

export const SystemDate = Type.Object(
  { systemDate: Type.Optional(date('Business date; null or empty for the real one')) },
  { $id: 'SystemDate', additionalProperties: false },
)

export const setSystemDate = operation({
  id: 'S13',
  name: 'setSystemDate',
  method: 'PUT',
  path: '/system/systemdate',
  area: 'System',
  summary: 'Set the system date',
  description:
    'Changes the business date (1900-01-01 to 2199-12-31) on every node within a second. Tokens and sessions keep real time. Interest and everything else that depends on the date follows the new date. Null or empty restores the real date.',
  access: ['system.admin'],
  unrestricted: true,
  body: SystemDate,
  status: 200,
  response: Problem,
  example: { body: { systemDate: '2027-01-01' } },
})
