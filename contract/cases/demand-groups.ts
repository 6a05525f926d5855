/** The claims that are demanded together: with one letter, one fee and one payment reference. */
import { Type, type Static } from 'typebox'
import { guid, nullable } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'

const text = (description: string) => nullable<string>({ type: ['string', 'null'], description })
const day = (description: string) =>
  nullable<string>({ type: ['string', 'null'], format: 'date-time', description })

export const DemandedCase = Type.Object(
  {
    caseGuid: guid('Case'),
    caseNumber: Type.String(),
    status: Type.String(),
    subStatus: Type.String(),
    remainingSum: Type.Number({ description: 'What remains, in the currency of the case.' }),
    bearsFee: Type.Boolean({ description: 'True for the oldest case: fees of the group are booked on it.' }),
    isDemanded: Type.Boolean({
      description: 'False while it is closed, on hold or disputed: then letters leave it out.',
    }),
  },
  { $id: 'DemandedCase' },
)
export type DemandedCase = Static<typeof DemandedCase>

export const DemandGroup = Type.Object(
  {
    caseGuid: guid('Case'),
    together: Type.Boolean({
      description: 'True if claims of this creditor on the debtor are demanded together.',
    }),
    rule: text(
      'The rule of law by which they are. Null when only the client wants it, or when they are not.',
    ),
    source: text('Where the rule is published.'),
    verified: Type.Boolean({ description: 'True if the text of the source was read.' }),
    demandedAlone: Type.Boolean({ description: 'True if a person took the case out.' }),
    demandGroupGuid: nullable<string>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'Null before the first demand.',
    }),
    paymentReferenceNumber: text('The reference for a payment on all cases. Null before the first demand.'),
    demandedDate: day('The day of the first demand.'),
    currencyCode: Type.String(),
    cases: Type.Array(DemandedCase, {
      description:
        'The cases of the group, the oldest first. Before the first demand: those that would be demanded together now. Empty for a case that is demanded by itself.',
    }),
  },
  { $id: 'DemandGroup' },
)
export type DemandGroup = Static<typeof DemandGroup>

export const getDemandGroup = operation({
  id: 'getDemandGroup',
  name: 'getDemandGroup',
  method: 'GET',
  path: '/debtors/:debtorGuid/cases/:caseGuid/demandgroup',
  area: 'Debtors',
  summary: 'Read which cases are demanded together with a case',
  description:
    'Claims of one creditor on one debtor are demanded with one letter, one fee and one payment reference, where the law or the client wants it. The form `case/demand` takes a case out, or puts it in.',
  access: ['case.read'],
  params: Type.Object({ debtorGuid: guid('Debtor'), caseGuid: guid('Case') }),
  status: 200,
  response: DemandGroup,
})
