import { Type, type Static } from 'typebox'
import { code, date, guid, key, lines, links, outputSchema, text } from '../metadata/fields.ts'
import { juridicalTypes, ofDebtor } from '../parties/debtors.ts'
import { operation } from '../platform/operation.ts'
import { aboutPast, aboutPastList, asOfQuery, pageQueryAsOf, pastMembers } from '../platform/as-of.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

/** An amount in the case's currency, with at most as many decimals as the currency has. */
const money = (title: string) =>
  Type.Unsafe<number>({ type: 'number', title, 'x-field': { kind: 'money', readOnly: true } })
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
  }),
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
