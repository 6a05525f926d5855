/** The schema and an example of each member of an event's `data`. Values of closed lists stay open: a later version may add some. */
import type { EventEntity, EventType } from './event-types.ts'

type JsonSchema = Readonly<Record<string, unknown>>
interface EventMember {
  schema: JsonSchema
  example: unknown
}

const exampleGuid = '0198f2c4-7c1e-7a3b-9d52-3f60c1a2b4e1'

const guid = (title: string): EventMember => ({
  schema: { type: 'string', format: 'uuid', title },
  example: exampleGuid,
})
const text = (title: string, example: string, lookup?: string): EventMember => ({
  schema: { type: 'string', title, ...(lookup !== undefined && { 'x-lookup': lookup }) },
  example,
})
const day = (title: string, example: string): EventMember => ({
  schema: { type: 'string', format: 'date', title },
  example,
})
const count = (title: string, example: number): EventMember => ({
  schema: { type: 'integer', minimum: 0, title },
  example,
})
const flag = (title: string, example: boolean): EventMember => ({
  schema: { type: 'boolean', title },
  example,
})
const nullable = ({ schema, example }: EventMember): EventMember => ({
  schema: { ...schema, type: [schema['type'], 'null'] },
  example,
})
const list = (title: string, items: JsonSchema, example: unknown[]): EventMember => ({
  schema: { type: 'array', title, items },
  example,
})
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
})
const minorUnits: JsonSchema = { type: 'integer', minimum: 0 }

export const eventMembers = {
  accessGroupGuid: guid('Access group'),
  accountGuid: guid('Account'),
  act: text('Act that needs a second person', 'WRITE_OFF', 'approvalact'),
  addressGuid: guid('Address'),
  again: flag('True for a plan that is active again', true),
  approvalGuid: guid('Request for a second person'),
  approvalLimitGuid: guid('Limit'),
  attachmentGuid: guid('Attached file'),
  booked: count('Entries that were booked on cases', 3),
  bounced: flag('True if the bank returned the payment', false),
  callGuid: guid('Call'),
  caseGuid: guid('Case'),
  caseNumber: text('Case number', '1000017'),
  changed: list('Names of the members that changed', { type: 'string' }, ['email']),
  clientGuid: guid('Client'),
  closureCode: nullable(text('Why the case is closed', 'PAID_IN_FULL', 'closurecode')),
  correction: text('Correction that was booked', 'LOWER_FEE', 'lawcorrection'),
  currencyCode: text('Currency', 'SEK', 'currency'),
  customerGuid: guid('Customer'),
  date: day('Day of the interruption', '2026-03-02'),
  dashboardGuid: guid('Saved dashboard'),
  debtorGuid: guid('Debtor'),
  debtorRole: text('Role of the debtor', 'CO_DEBTOR', 'debtorrole'),
  decision: text('Decision', 'REJECTED', 'objectiondecision'),
  demandGroupGuid: nullable(guid('Demand group')),
  documentGuid: guid('Letter'),
  dueDate: day('Day on which it was due', '2026-02-28'),
  endReason: text('Why the plan ended', 'COMPLETED', 'paymentplanendreason'),
  entries: count('Entries of the file', 5),
  erasureGuid: guid('Erasure'),
  fieldGuid: guid('Custom field'),
  format: text('Format of the file', 'CAMT054'),
  from: day('First day', '2026-01-01'),
  interruption: text('Kind of interruption', 'ACKNOWLEDGEMENT', 'interruption'),
  invoiceGuid: guid('Invoice'),
  issuer: text('Outside provider', 'https://login.agency.example'),
  jobId: guid('Job'),
  kind: text('Kind', 'demand'),
  kinds: list('Kinds of personal data that were erased', { type: 'integer' }, [1, 2, 3]),
  law: list(
    'Fees that the law left out',
    object({ rule: { type: ['string', 'null'] }, action: { type: 'string' }, reason: { type: 'string' } }),
    [
      {
        rule: 'SE-REMINDER-AGREED',
        action: 'fee:reminder',
        reason: 'The fee must have been agreed when the debt arose.',
      },
    ],
  ),
  heldReason: text('Why the letter is held', 'owesLess', 'contactreason'),
  lawFindingGuid: guid('Finding'),
  letterTemplateGuid: guid('Letter template'),
  lookupValueGuid: guid('Lookup value'),
  matter: text('Objection, complaint or hardship', 'OBJECTION', 'objectionmatter'),
  minorAmounts: {
    schema: {
      ...object({ principal: minorUnits, interest: minorUnits, cost: minorUnits }),
      title: 'What the payment paid, in minor units of the currency of the case',
    },
    example: { principal: 166883, interest: 2192, cost: 17000 },
  },
  name: text('Name', 'employer'),
  nextActionDate: nullable(day('Day of the next action', '2026-03-09')),
  noteGuid: guid('Note'),
  objectGuid: guid('Object'),
  objectionGuid: guid('Objection'),
  ownerGuid: nullable(guid('Handler')),
  partyGuid: guid('Party'),
  partyReferenceCode: text('Code of the party', 'AGENCY'),
  paymentFileGuid: guid('Bank file'),
  paymentGuid: guid('Payment'),
  paymentNo: { schema: { type: 'integer', minimum: 1, title: 'Number in the plan' }, example: 2 },
  paymentPlanGuid: guid('Payment plan'),
  payoutBatchGuid: guid('Payouts of one run'),
  purchaseGuid: guid('Purchase'),
  reasons: list(
    'Work that was done',
    object({
      reason: { type: 'string', 'x-lookup': 'workreason' },
      dueDate: { type: 'string', format: 'date' },
    }),
    [{ reason: 'FOLLOW_UP', dueDate: '2026-03-02' }],
  ),
  rule: nullable(text('Rule of law', 'NO-REMINDER-CEILING')),
  scheduleGuid: guid('Schedule'),
  series: text('Series of reference rates', 'SE', 'rateseries'),
  service: text('Code of the service', 'address-check', 'servicedefinition'),
  status: text('Status of the case', 'AMICABLE', 'casestatus'),
  statutoryFeeGuid: guid('Statutory fee'),
  step: text('Step of the strategy', 'REMINDER'),
  strategy: text('Code of the strategy', 'NORDIC'),
  strategyGuid: guid('Strategy'),
  strategyVersion: { schema: { type: 'integer', minimum: 1, title: 'Version' }, example: 2 },
  subStatus: text('Sub-status of the case', 'REMINDER_SENT', 'casesubstatus'),
  suspended: count('Entries that are in suspense', 2),
  suspenseGuid: guid('Money in suspense'),
  teamGuid: nullable(guid('Team')),
  thirdPartyGuid: guid('Third party'),
  to: nullable(day('Last day, or the new date', '2026-12-31')),
  trialGuid: guid('Trial of strategies'),
  toThirdParty: flag('True if the debtor paid somebody else, such as the client', false),
  tolerance: {
    schema: { type: 'number', minimum: 0, title: 'Amount up to which a case counts as paid' },
    example: 20,
  },
  userGuid: guid('User'),
  valueDate: day('Value date', '2026-03-02'),
  webhookGuid: guid('Webhook'),
} as const satisfies Record<string, EventMember>

export type EventMemberName = keyof typeof eventMembers

/** Examples of types and entities whose values differ from the general ones. */
const otherExamples: Partial<Record<EventType | EventEntity, Partial<Record<EventMemberName, unknown>>>> = {
  address: { changed: ['street', 'fullAddress'] },
  'case.updated': { changed: ['clientReferenceNumber'] },
  'case.status_changed': { closureCode: null },
  'case.held': { subStatus: 'HOLD_DISPUTE', closureCode: null },
  'case.resumed': { closureCode: null },
  'case.reopened': { closureCode: null },
  'case.closed': { status: 'CLOSED', subStatus: 'PAID' },
  'case.law_corrected': { kind: 'FEE_ABOVE_CEILING' },
  note: { changed: ['text'] },
  attachment: { changed: ['shownToClient'] },
  paymentplan: { changed: ['payments'] },
  'paymentplan.breached': { endReason: 'BREACHED' },
  'paymentplan.cancelled': { endReason: 'CANCELLED' },
  client: { changed: ['name'] },
  job: { kind: 'command', name: 'day-end' },
  statutoryfee: { changed: ['amount'] },
  field: { changed: ['descriptions'] },
  extrafield: { changed: ['value'] },
  systemsettings: { changed: ['systemName'] },
  systemdate: { from: '2026-03-02', to: '2026-03-03' },
}

/** The example of a member in an event of a type. */
export function exampleMember(type: EventType, name: EventMemberName): unknown {
  const entity = type.split('.')[0] as EventEntity
  for (const own of [otherExamples[type], otherExamples[entity]])
    if (own && Object.hasOwn(own, name)) return own[name]
  return eventMembers[name].example
}

/** The JSON Schema of the data of a type, from the names of its members; optional ones end with a question mark. */
export function createDataSchema(type: EventType, names: readonly string[]): JsonSchema {
  const members = names.map((name) => name.replace('?', '') as EventMemberName)
  return {
    type: 'object',
    title: `The data of ${type}`,
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(members.map((name) => [name, eventMembers[name].schema])),
  }
}
