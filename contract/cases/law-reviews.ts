/** Reviews of cases by the law, and the corrections that follow: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { date, dateTime, flag, guid, integer, key, money, outputSchema, text } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { page, pageQuery } from '../platform/page.ts'
import { pageWithSums, withSums } from '../platform/sums.ts'

export const lawFindingKinds = [
  'FEE_ABOVE_CEILING',
  'FEE_EARLY',
  'FEE_NOT_ALLOWED',
  'OPENING_COSTS',
  'DEMAND_EARLY',
  'DEMAND_DEADLINE',
  'BARRED',
  'INTEREST_DAYS',
  'INTEREST_WHILE_CLOSED',
] as const
export type LawFindingKind = (typeof lawFindingKinds)[number]
export const lawCorrections = [
  'REVERSE_FEE',
  'LOWER_FEE',
  'WRITE_OFF',
  'CLOSE_BARRED',
  'RECKON_INTEREST',
  'STOP_INTEREST',
  'NONE',
] as const
export type LawCorrection = (typeof lawCorrections)[number]
export const lawFindingStatuses = ['OPEN', 'LISTED', 'CONFIRMED', 'REFUSED', 'REPLACED'] as const
/** Why a finding is only listed, or was refused. */
export const lawObstacles = ['CLOSED', 'PAID_OUT', 'NOTHING_TO_BOOK', 'PLAN', 'CASE_CHANGED'] as const
export type LawObstacle = (typeof lawObstacles)[number]

const count = { minimum: 0, maximum: 2_147_483_647 }
const fields = {
  lawReviewGuid: guid('Review'),
  reviewDate: date('Reviewed on'),
  startedAt: dateTime('Started'),
  finishedAt: dateTime('Finished'),
  caseCount: integer('Cases', count),
  findingCount: integer('Findings', count),
  openCount: integer('Waiting for confirmation', count),
  requestedBy: text(200, 'Requested by', { personalData: 'name' }),
  lawFindingGuid: guid('Finding'),
  caseGuid: guid('Case'),
  caseNumber: key(50, 'Case'),
  clientGuid: guid('Client'),
  clientName: key(200, 'Client'),
  debtorGuid: guid('Debtor'),
  mainDebtorName: key(200, 'Main debtor', { personalData: 'name' }),
  findingKind: key(30, 'Finding', { lookup: 'lawfindingkind' }),
  action: text(60, 'Action'),
  actedDate: date('Done on'),
  rule: text(60, 'Rule'),
  ruleSource: text(1000, 'Source of the rule'),
  ruleVerified: flag('The source was read'),
  currencyCode: key(3, 'Currency', { lookup: 'currency' }),
  chargedAmount: money('Charged'),
  lawfulAmount: money('Lawful'),
  amount: money('Amount'),
  correction: key(20, 'Correction', { lookup: 'lawcorrection' }),
  findingStatus: key(20, 'Status', { lookup: 'lawfindingstatus' }),
  obstacle: text(20, 'Obstacle', { lookup: 'lawobstacle' }),
  confirmedAt: dateTime('Confirmed'),
  confirmedBy: text(200, 'Confirmed by', { personalData: 'name' }),
}

export const LawReview = outputSchema(
  fields,
  [
    'lawReviewGuid',
    'reviewDate',
    'startedAt',
    'finishedAt',
    'caseCount',
    'findingCount',
    'openCount',
    'requestedBy',
  ],
  { $id: 'LawReview' },
)
export type LawReview = Static<typeof LawReview>

export const LawFinding = outputSchema(
  fields,
  [
    'lawFindingGuid',
    'lawReviewGuid',
    'reviewDate',
    'caseGuid',
    'caseNumber',
    'clientGuid',
    'clientName',
    'debtorGuid',
    'mainDebtorName',
    'findingKind',
    'action',
    'actedDate',
    'rule',
    'ruleSource',
    'ruleVerified',
    'currencyCode',
    'chargedAmount',
    'lawfulAmount',
    'amount',
    'correction',
    'findingStatus',
    'obstacle',
    'confirmedAt',
    'confirmedBy',
  ],
  { $id: 'LawFinding' },
)
export type LawFinding = Static<typeof LawFinding>

const read = { area: 'Debtors', method: 'GET', status: 200 } as const

export const listLawReviews = operation({
  ...read,
  id: 'listLawReviews',
  name: 'listLawReviews',
  path: '/law-reviews',
  access: ['case.admin'],
  unrestricted: true,
  summary: 'List reviews of cases by the law',
  description: 'The command `law-review` makes one. The latest first.',
  query: pageQuery,
  response: page(LawReview),
})

export const listLawFindings = operation({
  ...read,
  id: 'listLawFindings',
  name: 'listLawFindings',
  path: '/law-findings',
  access: ['case.write'],
  summary: 'List what reviews by the law found',
  description: [
    'What was charged, demanded or reckoned against the law, with the rule and the correction proposed. `amount` is by how much the correction lowers the debt.',
    '- `OPEN`: an administrator can confirm it.',
    '- `LISTED`: nothing can be booked; `obstacle` says why.',
    '- `CONFIRMED`: the correction is booked.',
    '- `REFUSED`: the case has changed since the review, or cannot be corrected now.',
    '- `REPLACED`: a later review took its place.',
  ].join('\n'),
  query: withSums(pageQuery, ['chargedAmount', 'lawfulAmount', 'amount']),
  response: pageWithSums(LawFinding, ['chargedAmount', 'lawfulAmount', 'amount']),
})

export const LawConfirmationInput = Type.Object(
  {
    lawFindingGuids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: 200,
        description: 'The findings to confirm.',
      }),
    ),
    lawReviewGuid: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Instead: the open findings of this review, 200 of them a request.',
      }),
    ),
  },
  { $id: 'LawConfirmationInput', additionalProperties: false },
)
export type LawConfirmationInput = Static<typeof LawConfirmationInput>

export const lawOutcomes = ['CONFIRMED', 'ALREADY_CONFIRMED', 'REFUSED'] as const
export const LawConfirmation = Type.Object(
  {
    confirmed: Type.Integer({ description: 'Findings whose correction is booked now.' }),
    remaining: Type.Integer({
      description: 'Open findings of the review that are left. 0 when findings were named.',
    }),
    findings: Type.Array(
      Type.Object({
        lawFindingGuid: Type.String({ format: 'uuid' }),
        caseNumber: Type.String(),
        outcome: Type.Unsafe<(typeof lawOutcomes)[number]>({ type: 'string', enum: [...lawOutcomes] }),
        obstacle: Type.Unsafe<LawObstacle | 'REPLACED' | null>({
          type: ['string', 'null'],
          enum: [...lawObstacles, 'REPLACED', null],
          description: 'Why it was refused.',
        }),
      }),
    ),
  },
  { $id: 'LawConfirmation' },
)
export type LawConfirmation = Static<typeof LawConfirmation>

export const confirmLawFindings = operation({
  id: 'confirmLawFindings',
  name: 'confirmLawFindings',
  method: 'POST',
  area: 'Debtors',
  access: ['case.admin'],
  status: 200,
  path: '/law-findings/confirmations',
  summary: 'Confirm findings: book their corrections',
  description:
    'Books each correction on its case by reversing bookings. A finding that is confirmed already stays as it is. A finding is refused when its case has changed since the review, is closed, in a payment plan or paid out; the others are booked. Repeat a request with `lawReviewGuid` until `remaining` is 0: each takes findings of one currency.',
  body: LawConfirmationInput,
  problems: ['not-found', 'needs-approval', 'conflict'],
  response: LawConfirmation,
  example: { body: { lawReviewGuid: '0198f2c4-7d02-7b61-8c0f-6a1e5b9d3f24' } },
})
