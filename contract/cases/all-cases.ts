/**
 * Cases and their clients across debtors, for worklists and integrations: operations that the specification does not
 * have.
 */
import { Type, type Static } from 'typebox'
import { ledgerAccount } from './case-statement.ts'
import { amounts, caseFields as fields } from './cases.ts'
import { date, guid, key, lines, nullable, outputSchema, text } from '../metadata/fields.ts'
import { debtorFields } from '../parties/debtors.ts'
import { noteFields } from '../parties/notes.ts'
import { operation } from '../platform/operation.ts'
import {
  aboutPast,
  aboutPastList,
  asOfQuery,
  pageQueryAsOf,
  pastMembers,
  readAsOfQuery,
} from '../platform/as-of.ts'
import { page, pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

const listed = [
  'caseGuid',
  'caseNumber',
  'clientReferenceNumber',
  'clientGuid',
  'clientName',
  'debtorGuid',
  'mainDebtorGuid',
  'mainDebtorName',
  'currencyCode',
  'service',
  'status',
  'subStatus',
  'hold',
  'closureCode',
  'registrationDate',
  'closureDate',
  'limitationDate',
  'paymentReferenceNumber',
  ...amounts,
] as const

export const AllCasesItem = outputSchema(
  fields,
  [
    ...listed,
    'placeOfBirth',
    'naceCode',
    'workPhone',
    'cellularPhone',
    'email',
    'birthDate',
    'juridicalType',
  ],
  { $id: 'AllCasesItem' },
)
export type AllCasesItem = Static<typeof AllCasesItem>

export const CaseParty = Type.Object(
  {
    debtorGuid: guid('Debtor'),
    fullName: key(200, 'Full name', { personalData: 'name' }),
    debtorRole: fields.debtorRole,
  },
  { $id: 'CaseParty' },
)
export const CaseInvoice = Type.Object(
  {
    invoiceGuid: guid('Invoice'),
    invoiceNumber: text(50, 'Invoice number'),
    invoiceDate: date('Invoice date'),
    dueDate: date('Due date'),
    principal: Type.Number({ title: 'Principal' }),
    description: lines(2000, 'Description'),
  },
  { $id: 'CaseInvoice' },
)

const { cellularPhone, homePhone, workPhone, email, languageCode, preferredChannel } = debtorFields
const { underAged, protectedIdentity } = debtorFields
export const CaseContact = Type.Object(
  {
    cellularPhone,
    homePhone,
    workPhone,
    email,
    address: text(500, 'Address', { personalData: 'address' }),
    languageCode,
    preferredChannel,
    underAged,
    protectedIdentity,
  },
  { $id: 'CaseContact' },
)
export type CaseContact = Static<typeof CaseContact>

export const CasePlan = Type.Object(
  {
    paymentPlanGuid: guid('Payment plan'),
    active: Type.Integer({ description: '1 active, 2 proposed.' }),
    currencyCode: fields.currencyCode,
    numberOfPayments: Type.Integer(),
    paidPayments: Type.Integer({ description: 'Payments that are paid in full.' }),
    latePayments: Type.Integer({
      description: 'Payments that fell due before the business date and are not paid.',
    }),
    nextDueDate: date('Next due'),
    nextAmount: nullable<number>({ type: ['number', 'null'], title: 'What is unpaid of the next payment' }),
    planned: Type.Number({ title: 'Sum of all payments' }),
    paid: Type.Number({ title: 'Paid so far' }),
  },
  { $id: 'CasePlan' },
)
export type CasePlan = Static<typeof CasePlan>

export const CaseByGuid = Type.Object(
  {
    ...AllCasesItem.properties,
    description: fields.description,
    withheldFee: fields.withheldFee,
    claimKind: fields.claimKind,
    interruptedBy: fields.interruptedBy,
    interruptedDate: fields.interruptedDate,
    links: fields.links,
    debtors: Type.Array(CaseParty, { description: 'The main debtor first.' }),
    invoices: Type.Array(CaseInvoice, { description: 'In the order in which they were added.' }),
    contact: nullable<CaseContact>({
      anyOf: [CaseContact, { type: 'null' }],
      description: 'How to reach the main debtor. Null without `debtor.read`.',
    }),
    plan: nullable<CasePlan>({
      anyOf: [CasePlan, { type: 'null' }],
      description:
        'The active plan of the case, else the latest proposal. Null without one, or without `paymentplan.read`.',
    }),
    ...pastMembers,
  },
  { $id: 'CaseByGuid' },
)
export type CaseByGuid = Static<typeof CaseByGuid>

const nullableGuid = (description: string) =>
  nullable<string>({ type: ['string', 'null'], format: 'uuid', description })
const day = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })

export const CaseMovement = Type.Object(
  {
    movementGuid: guid('Movement'),
    number: Type.Integer({ description: 'Within the case, starting at 1.' }),
    kind: Type.String({
      description: 'payment, fee, writeOff, creditNote, claim, terms, reversal and the like.',
    }),
    text: Type.String({
      description: "The movement as a sentence with its numbers, in the caller's language.",
    }),
    detail: Type.String({
      description:
        'Way of payment, fee type, component and invoice as far as it has them, in words. Empty where it has none.',
    }),
    valueDate: day('The value date.'),
    bookedDate: day('The business date on which it was booked.'),
    amount: Type.Number({ description: '0 if it moves no money itself.' }),
    invoiceGuid: nullableGuid('The claim it concerns; null for the whole case.'),
    paymentGuid: nullableGuid('The payment that it is a part of.'),
    reversesGuid: nullableGuid('For a reversal: the movement that it reverses.'),
    reversed: Type.Boolean({ description: 'True if it was reversed.' }),
  },
  { $id: 'CaseMovement' },
)
export const CaseTransaction = Type.Object(
  {
    transactionGuid: guid('Transaction'),
    number: Type.Integer({ description: 'Within the case, starting at 1.' }),
    kind: Type.String({ description: '`registration`, `interest`, or the kind of its movement.' }),
    valueDate: day('The value date.'),
    bookedDate: day('The business date on which it was booked.'),
    movementGuid: nullableGuid('Null for the registration and for interest.'),
    reversesGuid: nullableGuid('The transaction that it reverses.'),
    entries: Type.Array(
      Type.Object({
        account: ledgerAccount,
        invoiceGuid: nullableGuid('The claim it concerns.'),
        amount: Type.Number({ description: 'Debit is positive, credit negative; the entries sum to zero.' }),
      }),
    ),
  },
  { $id: 'CaseTransaction' },
)
export const CaseMovements = Type.Object(
  {
    caseNumber: fields.caseNumber,
    currencyCode: fields.currencyCode,
    movements: Type.Array(CaseMovement),
    transactions: Type.Array(CaseTransaction),
    ...pastMembers,
  },
  { $id: 'CaseMovements' },
)
export type CaseMovements = Static<typeof CaseMovements>

export const Note = outputSchema(
  noteFields,
  ['noteGuid', 'text', 'followUpDate', 'shownToClient', 'createdAt', 'createdBy'],
  { $id: 'Note' },
)
export type Note = Static<typeof Note>

const params = Type.Object({ caseGuid: guid('Case') })
const read = { area: 'Debtors', method: 'GET', access: ['case.read'], status: 200 } as const

export const listAllCases = operation({
  ...read,
  id: 'listAllCases',
  name: 'listAllCases',
  path: '/cases',
  summary: 'List cases of all debtors',
  description:
    'The cases of the clients that the caller may see. `debtorGuid` is the main debtor’s. Interest is calculated up to the business date, also in `$filter` and `$orderby`.' +
    aboutPastList,
  query: withSums(pageQueryAsOf, amounts),
  response: pageWithSums(AllCasesItem, amounts),
  example: {
    query: { $filter: "status eq 'AMICABLE' and hold eq null", $orderby: 'limitationDate asc' },
  },
})
export const getCaseByGuid = operation({
  ...read,
  id: 'getCaseByGuid',
  name: 'getCaseByGuid',
  path: '/cases/:caseGuid',
  summary: 'Get a case',
  description:
    'With its debtors and invoices, how to reach the main debtor, and how far its payment plan is paid.' +
    aboutPast +
    ' Contact and plan are then null.',
  params,
  query: asOfQuery,
  response: CaseByGuid,
  versioned: true,
})
export const listCaseMovements = operation({
  ...read,
  id: 'listCaseMovements',
  name: 'listCaseMovements',
  path: '/cases/:caseGuid/movements',
  summary: "Get a case's movements and ledger",
  description:
    'Movements are what users and payments registered; transactions are the resulting ledger entries, in the order of booking. A transaction is never changed: a wrong one is reversed by another.' +
    aboutPast,
  params,
  query: readAsOfQuery,
  response: CaseMovements,
})
export const listCaseNotes = operation({
  ...read,
  id: 'listCaseNotes',
  name: 'listCaseNotes',
  path: '/cases/:caseGuid/notes',
  summary: "List a case's notes",
  description: 'The latest first. The form `note/create` adds a note.',
  params,
  query: pageQuery,
  response: page(Note),
})
