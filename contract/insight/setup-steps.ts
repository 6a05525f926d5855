/** What a new agency has to set up: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

/** The steps, in the order in which they are done. */
export const setupSteps = [
  'COMPANY',
  'BANK',
  'COUNTRIES',
  'CLIENT',
  'TERMS',
  'LETTERS',
  'USERS',
  'IMPORT',
] as const
export type SetupStepCode = (typeof setupSteps)[number]

/** What can be missing. */
export const setupGaps = [
  'NAME',
  'COUNTRY',
  'CURRENCY',
  'BANK_ACCOUNT',
  'LAW_PACK',
  'REFERENCE_RATE',
  'CLIENT',
  'CLIENT_CURRENCY',
  'CLIENT_ACCOUNT',
  'CLAIM_KIND',
  'INTEREST',
  'FEES',
  'STRATEGY',
  'LETTER_FOLDER',
  'ADMINISTRATOR_EMAIL',
  'CASE_HANDLER',
  'MAIL_SERVER',
  'PUBLIC_URL',
  'CASE',
] as const
export type SetupGapCode = (typeof setupGaps)[number]

const nullable = (description: string, more: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...more, description })
const guid = { format: 'uuid' }

export const SetupGap = Type.Object(
  {
    gap: Type.Unsafe<SetupGapCode>({
      type: 'string',
      enum: [...setupGaps],
      description: 'What is missing.',
    }),
    countryCode: nullable('The country without a law pack, or without a reference rate.'),
    clientGuid: nullable('The client that lacks it: of all clients the one that lacks least.', guid),
    clientName: nullable('The name of that client.'),
    userGuid: nullable('The administrator who has no e-mail address that a message can reach.', guid),
  },
  { $id: 'SetupGap' },
)
export type SetupGap = Static<typeof SetupGap>

export const SetupStep = Type.Object(
  {
    step: Type.Unsafe<SetupStepCode>({ type: 'string', enum: [...setupSteps] }),
    isDone: Type.Boolean({ description: 'Nothing is missing.' }),
    missing: Type.Array(SetupGap, { description: 'Empty when the step is done.' }),
  },
  { $id: 'SetupStep' },
)
export type SetupStep = Static<typeof SetupStep>

export const SetupSteps = Type.Object(
  {
    agencyGuid: Type.String({
      ...guid,
      description: 'The agency: `id` of the forms `client/edit` and `client/terms`.',
    }),
    isEmpty: Type.Boolean({ description: 'The agency has no case yet.' }),
    value: Type.Array(SetupStep, { description: 'The steps, in the order in which they are done.' }),
  },
  { $id: 'SetupSteps' },
)
export type SetupSteps = Static<typeof SetupSteps>

export const listSetupSteps = operation({
  id: 'listSetupSteps',
  name: 'listSetupSteps',
  method: 'GET',
  path: '/system/setup',
  area: 'System',
  summary: 'List the first steps of a new agency',
  description:
    'What a new agency sets up before it collects, in the order in which it is done. Every request checks each step against the data: `COMPANY` (name, country and currency of the agency), `BANK` (its account), `COUNTRIES` (law and reference rates of the countries in use), `CLIENT` (currency and account of a client), `TERMS` (kind of claims, interest, fees and strategy of a client), `LETTERS` (a folder for the letters to be posted), `USERS` (a case handler, administrators with an e-mail address, a mail server, the public address for links in e-mails) and `IMPORT` (a case). One client without gaps is enough; the first 200 are looked at.',
  access: ['system.admin'],
  unrestricted: true,
  status: 200,
  response: SetupSteps,
})
