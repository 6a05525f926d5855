import { Type, type Static, type TSchema } from 'typebox'
import { code, date, guid, key, lines, links, outputSchema, text } from '../metadata/fields.ts'
import { juridicalTypes, ofDebtor } from '../parties/debtors.ts'
import { operation } from '../platform/operation.ts'
import {
  aboutPast,
  aboutPastList,
  asOfQuery,
  pageQueryAsOf,
  pastMembers,
  readAsOfQuery,
} from '../platform/as-of.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

/** An amount in the case's currency, with at most as many decimals as the currency has. */
const money = (title: string) =>
  Type.Unsafe<number>({ type: 'number', title, 'x-field': { kind: 'money', readOnly: true } } as TSchema)
const contact = { personalData: 'contact' } as const

const fields = {
  caseGuid: guid('Case', { readOnly: true }),
  caseNumber: key(20, 'Case number', { readOnly: true }),
  clientReferenceNumber: text(50, "Client's reference"),
  clientName: key(200, 'Client', { readOnly: true }),
  clientGuid: guid('Client'),
  currencyCode: key(3, 'Currency', { lookup: 'currency' }),
  service: key(20, 'Service', { lookup: 'caseservice' }),
  status: key(20, 'Status', { lookup: 'casestatus' }),
  subStatus: key(30, 'Sub-status', { lookup: 'casesubstatus' }),
  closureCode: text(30, 'Closure code', { lookup: 'closurecode' }),
  closureDate: date('Closed', { readOnly: true }),
  registrationDate: date('Registered', { readOnly: true }),
  regDate: date('Registered', { readOnly: true }),
  description: lines(2000, 'Description'),
  paymentReferenceNumber: key(30, 'Payment reference', { readOnly: true }),
  debtorGuid: guid('Main debtor', { lookup: 'debtor' }),
  mainDebtorGuid: guid('Main debtor', { lookup: 'debtor' }),
  hold: text(30, 'Hold', { lookup: 'holdreason', readOnly: true }),
  limitationDate: date('Time-barred on', { readOnly: true }),
  claimKind: text(20, 'What the claim is for', { lookup: 'claimkind' }),
  interruptedBy: text(20, 'What last interrupted the limitation', { lookup: 'interruption', readOnly: true }),
  interruptedDate: date('Interrupted on', { readOnly: true }),
  debtorRole: key(20, 'Role of the debtor', { lookup: 'debtorrole' }),
  mainDebtorName: key(200, 'Main debtor', { personalData: 'name' }),
  juridicalType: code('Juridical type of the main debtor', juridicalTypes, { lookup: 'juridicaltype' }),
  birthDate: date('Date of birth of the main debtor', { personalData: 'birth' }),
  placeOfBirth: text(100, 'Place of birth of the main debtor', { personalData: 'birth' }),
  naceCode: text(10, 'NACE code of the main debtor'),
  workPhone: text(30, 'Work phone of the main debtor', contact),
  cellularPhone: text(30, 'Cellular phone of the main debtor', contact),
  email: text(254, 'E-mail of the main debtor', contact),
  originalPrincipal: money('Principal, as registered'),
  originalFee: money('Costs, as registered'),
  originalInterest: money('Interest, as registered'),
  originalSum: money('Sum, as registered'),
  paidPrincipal: money('Principal, paid'),
  paidFee: money('Costs, paid'),
  paidInterest: money('Interest, paid'),
  paidToThirdParty: money('Of the sum paid: straight to the client or another party'),
  paidSum: money('Sum, paid'),
  remainingPrincipal: money('Principal, remaining'),
  remainingFee: money('Costs, remaining'),
  remaininFee: money('Costs, remaining'),
  remainingInterest: money('Interest, remaining, up to the business date'),
  remainingSum: money('Sum, remaining'),
  withheldFee: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    title: 'Costs above the ceiling of the law, not demanded',
    'x-field': { kind: 'money', readOnly: true },
  } as TSchema),
  links,
}
/** The dictionary of a case: every field once. */
export const caseFields = fields

export const amounts = [
  'originalPrincipal',
  'originalFee',
  'originalInterest',
  'originalSum',
  'paidPrincipal',
  'paidFee',
  'paidInterest',
  'paidToThirdParty',
  'paidSum',
  'remainingPrincipal',
  'remainingFee',
  'remainingInterest',
  'remainingSum',
] as const

export const OverviewCase = outputSchema(
  fields,
  [
    'caseGuid',
    'caseNumber',
    'clientReferenceNumber',
    'clientName',
    'clientGuid',
    'debtorRole',
    'currencyCode',
    'service',
    'status',
    'subStatus',
    'regDate',
    'remainingSum',
  ],
  { $id: 'OverviewCase' },
)
export type OverviewCase = Static<typeof OverviewCase>

export const CaseOverview = Type.Object(
  {
    fullName: key(200, 'Full name', { personalData: 'name' }),
    idNumber: text(30, 'Identity or company number', { personalData: 'identity' }),
    debtorGuid: guid('Debtor'),
    paymentReference: key(30, 'Reference for a payment on all cases of the debtor'),
    bankAccountNo: text(40, 'Account to pay to'),
    currencyCode: text(3, 'Currency of the sums', { lookup: 'currency' }),
    remainingPrincipal: fields.remainingPrincipal,
    remainingInterest: fields.remainingInterest,
    remaininFee: fields.remaininFee,
    remainingSum: fields.remainingSum,
    activeCases: Type.Integer({ title: 'Cases that are open' }),
    closedCases: Type.Integer({ title: 'Cases that are closed' }),
    cases: Type.Array(OverviewCase),
    ...pastMembers,
  },
  { $id: 'CaseOverview' },
)
export type CaseOverview = Static<typeof CaseOverview>

export const CaseListItem = outputSchema(
  fields,
  [
    'caseGuid',
    'caseNumber',
    'clientReferenceNumber',
    'clientName',
    'currencyCode',
    'service',
    'status',
    'subStatus',
    'closureCode',
    'mainDebtorName',
    'placeOfBirth',
    'naceCode',
    'workPhone',
    'cellularPhone',
    'email',
    'registrationDate',
    'closureDate',
    'birthDate',
    ...amounts,
    'juridicalType',
  ],
  { $id: 'CaseListItem' },
)
export type CaseListItem = Static<typeof CaseListItem>

const detail = outputSchema(fields, [
  'caseNumber',
  'clientName',
  'clientReferenceNumber',
  'closureCode',
  'currencyCode',
  'description',
  'paymentReferenceNumber',
  'service',
  'status',
  'subStatus',
  'closureDate',
  'registrationDate',
  ...amounts,
  'links',
])
export const CaseDetail = Type.Object({ ...detail.properties, ...pastMembers }, { $id: 'CaseDetail' })
export type CaseDetail = Static<typeof CaseDetail>

export const ofCase = Type.Object({ debtorGuid: guid('Debtor'), caseGuid: guid('Case') })

export const getCaseOverview = operation({
  id: 'D5',
  name: 'getCaseOverview',
  method: 'GET',
  path: '/debtors/:debtorGuid/caseoverview',
  area: 'Debtors',
  summary: "Get a debtor's case overview",
  description:
    'Sums over the open cases that the debtor owes (not as payer, representative or guardian), in the debtor’s currency, or else in that of the oldest of these cases: `currencyCode` states it (where nothing is owed, the debtor’s, else that of the debtor’s cases or of the system). `remaininFee` is spelt so in the specification. Interest is calculated up to the business date.' +
    aboutPast,
  access: ['case.read'],
  params: ofDebtor,
  query: asOfQuery,
  status: 200,
  response: CaseOverview,
})
export const listCases = operation({
  id: 'D6',
  name: 'listCases',
  method: 'GET',
  path: '/debtors/:debtorGuid/cases',
  area: 'Debtors',
  summary: "List a debtor's cases",
  description:
    'Interest is calculated up to the business date, also in `$filter` and `$orderby`.' + aboutPastList,
  access: ['case.read'],
  params: ofDebtor,
  query: withSums(pageQueryAsOf, amounts),
  status: 200,
  response: pageWithSums(CaseListItem, amounts),
  example: {
    query: { $filter: "status ne 'CLOSED' and remainingSum gt 1000", $orderby: 'remainingSum desc' },
  },
})
export const getCase = operation({
  id: 'D7',
  name: 'getCase',
  method: 'GET',
  path: '/debtors/:debtorGuid/cases/:caseGuid',
  area: 'Debtors',
  summary: "Get a debtor's case",
  description: 'What remains is calculated up to the business date.' + aboutPast,
  access: ['case.read'],
  params: ofCase,
  query: asOfQuery,
  status: 200,
  response: CaseDetail,
  versioned: true,
})

const nullable = (schema: object) => Type.Unsafe<string | null>({ ...schema, type: ['string', 'null'] })

const ReferencePart = Type.Object(
  {
    series: Type.String({ description: 'The series of the reference rate, such as `SE`.' }),
    ratePercent: Type.Number({ description: 'The reference rate, percent a year.' }),
    marginPercent: Type.Number({ description: 'Percentage points above it.' }),
    validFrom: Type.String({ format: 'date-time', description: 'The first day of the reference rate.' }),
    source: nullable({ description: 'Where the reference rate is published.' }),
    verified: Type.Boolean({ description: 'True if the rate was seen at its source.' }),
  },
  { description: 'Interest: what the rate consists of. Left out for a rate of its own.' },
)

/** What stood still, and since when. */
export const Standstill = Type.Object(
  {
    kind: Type.Unsafe<'CLOSED' | 'HOLD' | 'DISPUTE' | 'INTEREST_PAUSE'>({
      type: 'string',
      enum: ['CLOSED', 'HOLD', 'DISPUTE', 'INTEREST_PAUSE'],
    }),
    text: Type.String({ description: "The standstill as a sentence, in the caller's language." }),
    reason: nullable({ description: 'The reason of the hold, or the closure code.' }),
    fromDate: Type.String({ format: 'date-time' }),
    toDate: nullable({ format: 'date-time', description: 'Null while it lasts.' }),
    stopsInterest: Type.Boolean(),
  },
  { $id: 'Standstill' },
)
export type Standstill = Static<typeof Standstill>

/** A payment or another movement that was reversed. */
export const ReversedLine = Type.Object(
  {
    kind: Type.String({ description: 'payment, thirdPartyPayment, creditUse, refund, fee and the like.' }),
    text: Type.String({
      description: "The movement and its reversal as a sentence, in the caller's language.",
    }),
    movementGuid: Type.String({ format: 'uuid' }),
    paymentGuid: nullable({ format: 'uuid' }),
    amount: Type.Number({ description: 'What no longer counts.' }),
    date: Type.String({ format: 'date-time', description: 'The value date.' }),
    reversedDate: Type.String({ format: 'date-time', description: 'When the reversal was booked.' }),
  },
  { $id: 'ReversedLine' },
)
export type ReversedLine = Static<typeof ReversedLine>

export const ExplanationLine = Type.Object(
  {
    rule: Type.String({
      description: 'REGISTERED, CLAIM_ADDED, INTEREST, FEE, PAID, WRITTEN_OFF and the like.',
    }),
    text: Type.String({ description: "The line as a sentence with its numbers, in the caller's language." }),
    date: Type.String({ format: 'date-time', 'x-field': { kind: 'date' } }),
    invoiceGuid: nullable({ format: 'uuid', description: 'The claim it concerns; null for the whole case.' }),
    movementGuid: nullable({
      format: 'uuid',
      description: 'The amount booked; null for registration and interest.',
    }),
    amount: Type.Number({
      description: 'The amount that the line adds to the figure; negative if it reduces it.',
    }),
    principal: Type.Optional(Type.Number({ description: 'Interest: on what.' })),
    ratePercent: Type.Optional(Type.Number({ description: 'Interest: percent a year.' })),
    fromDate: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Interest: after this day.',
        'x-field': { kind: 'date' },
      }),
    ),
    toDate: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Interest: this day included.',
        'x-field': { kind: 'date' },
      }),
    ),
    days: Type.Optional(Type.Integer({ description: 'Interest: the number of days.' })),
    daysInYear: Type.Optional(Type.Integer({ description: 'Interest: the days of the year, 365 or 366.' })),
    provisional: Type.Optional(
      Type.Boolean({ description: 'Interest: true if the rate of these days is not known yet.' }),
    ),
    posted: Type.Optional(
      Type.Boolean({ description: 'For interest: true if booked, false if accrued so far.' }),
    ),
    referenceRate: Type.Optional(ReferencePart),
    rounding: Type.Optional(
      Type.Number({
        description:
          'Interest: by how much the amount differs from its formula, because the lines of a day are rounded together. Left out where it does not.',
      }),
    ),
    note: Type.Optional(
      Type.String({
        description:
          "What the rate consists of, the rule of a fee, and the rounding, in the caller's language.",
      }),
    ),
    feeType: Type.Optional(Type.String({ description: 'Fees: the kind.' })),
    lawRule: Type.Optional(
      Type.String({
        description:
          'Fees: the rule of law that it was judged by. Interest: the rule by which it begins, where the due date was not agreed in advance.',
      }),
    ),
    lawSource: Type.Optional(Type.String({ description: 'Where that rule is published.' })),
    overrideReason: Type.Optional(
      Type.String({ description: 'Fees: why an administrator went beyond the rule.' }),
    ),
  },
  { $id: 'ExplanationLine' },
)
export type ExplanationLine = Static<typeof ExplanationLine>

export const CaseExplanation = Type.Object(
  {
    caseNumber: fields.caseNumber,
    currencyCode: fields.currencyCode,
    asOf: Type.String({
      format: 'date-time',
      description: 'The business date, or the day asked for.',
      'x-field': { kind: 'date' },
    }),
    knownAt: pastMembers.knownAt,
    dayCount: Type.Unsafe<'actual/365' | 'actual/actual'>({
      type: 'string',
      enum: ['actual/365', 'actual/actual'],
      description: 'The days of a year in interest on this day: always 365, or those of the calendar year.',
    }),
    dayCountRule: nullable({
      description:
        'The rule of law and its source. Null where a contract names the day count, or no law does.',
    }),
    figures: Type.Array(
      Type.Object({
        figure: Type.String({
          description:
            'A member of the case, accrued and writtenOff included, or credit: what the debtor paid above the debt, less what was used or refunded. Negative credit is owed to the agency, and is not part of what remains.',
        }),
        amount: Type.Number({ description: 'The sum of the lines.' }),
        lines: Type.Array(ExplanationLine),
      }),
    ),
    standstills: Type.Array(Standstill, {
      description: 'When the case was closed, on hold or disputed, and when its interest paused; in order.',
    }),
    reversals: Type.Array(ReversedLine, {
      description: 'Movements that were reversed. They are in no figure.',
    }),
  },
  { $id: 'CaseExplanation' },
)
export type CaseExplanation = Static<typeof CaseExplanation>

export const explainCase = operation({
  id: 'explainCase',
  name: 'explainCase',
  method: 'GET',
  path: '/debtors/:debtorGuid/cases/:caseGuid/explain',
  area: 'Debtors',
  summary: "Explain a case's amounts",
  description:
    'For each amount: the postings and interest periods that it consists of, in words and numbers. `original + accrued = paid + remaining + writtenOff`, for each component and in sum.' +
    aboutPast,
  access: ['case.read'],
  params: ofCase,
  query: readAsOfQuery,
  status: 200,
  response: CaseExplanation,
})
