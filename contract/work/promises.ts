/** Promises to pay of all visible cases: an operation that the specification does not have. */
import type { Static } from 'typebox'
import { caseFields } from '../cases/cases.ts'
import { guid, key, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'
import { callFields } from './calls.ts'

export const PromiseToPay = outputSchema(
  {
    ...callFields,
    caseGuid: caseFields.caseGuid,
    caseNumber: key(20, 'Case number'),
    debtorName: text(200, 'Debtor', { personalData: 'name' }),
    currencyCode: caseFields.currencyCode,
    clientGuid: guid('Client'),
  },
  [
    'callGuid',
    'caseGuid',
    'caseNumber',
    'debtorGuid',
    'debtorName',
    'promisedAmount',
    'promisedDate',
    'promiseStatus',
    'currencyCode',
    'clientGuid',
    'createdAt',
    'createdBy',
  ],
  { $id: 'PromiseToPay' },
)
export type PromiseToPay = Static<typeof PromiseToPay>

export const listPromises = operation({
  id: 'listPromises',
  name: 'listPromises',
  method: 'GET',
  path: '/promises',
  area: 'Debtors',
  access: ['case.read'],
  status: 200,
  summary: 'List promises to pay',
  description:
    'Of the cases that the caller may see, the latest promised date first unless `$orderby` is given. Creditors see those of the calls with `shownToClient`.',
  query: withSums(pageQuery, ['promisedAmount']),
  response: pageWithSums(PromiseToPay, ['promisedAmount']),
  example: { query: { $filter: "promiseStatus eq 'BROKEN'" } },
})
