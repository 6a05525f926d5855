/** The limitation clock of a case: an operation that the specification does not have. */
import { Type, type Static } from 'typebox'
import { guid, nullable } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'

const date = (description: string) => Type.String({ format: 'date-time', description })
const maybeDate = (description: string) =>
  nullable<string>({ type: ['string', 'null'], format: 'date-time', description })
const text = (description: string) => nullable<string>({ type: ['string', 'null'], description })

export const LimitationClock = Type.Object(
  {
    caseGuid: Type.String({ format: 'uuid' }),
    asOf: date('The business date.'),
    country: Type.String({ description: 'The country whose law counts.' }),
    claimKind: Type.String({ description: 'GENERAL, CONSUMER or CONSUMER_CREDIT.' }),
    rule: text(
      'The rule of the law pack. Null for a country without one: then the case has no limitation date.',
    ),
    source: text('Where the rule is published.'),
    verified: Type.Boolean({ description: 'True if the text of the source was read.' }),
    periodYears: nullable<number>({ type: ['integer', 'null'], description: 'Years of the period.' }),
    begins: maybeDate('The day on which the claim fell due, or arose where the law counts from there.'),
    runsFrom: maybeDate('The day after which the period runs: `begins`, or the end of its year.'),
    firstDate: maybeDate('The limitation date without interruptions.'),
    interruptions: Type.Array(
      Type.Object({
        interruption: Type.String({ description: 'What happened, as the lookup `interruption`.' }),
        date: date('When.'),
        inWriting: Type.Boolean({
          description: 'True for an acknowledgement in writing that names the amount.',
        }),
        counted: Type.Boolean({
          description: 'True if it moved the limitation date. False if it does not count, or came too late.',
        }),
        limitationDate: date('The limitation date after it.'),
      }),
      { description: 'In order. Payments by the debtor are among them; reversed ones are not.' },
    ),
    finalDate: maybeDate('The day after which the claim is lost despite interruptions. Null without one.'),
    limitationDate: maybeDate('The last day on which the claim is enforceable.'),
    daysLeft: nullable<number>({
      type: ['integer', 'null'],
      description: 'Days from the business date to the limitation date; negative when the claim is barred.',
    }),
    barred: Type.Boolean({ description: 'True if the limitation date has passed.' }),
  },
  { $id: 'LimitationClock' },
)
export type LimitationClock = Static<typeof LimitationClock>

export const getCaseLimitation = operation({
  id: 'getCaseLimitation',
  name: 'getCaseLimitation',
  method: 'GET',
  path: '/cases/:caseGuid/limitation',
  area: 'Debtors',
  summary: "Read a case's limitation clock",
  description:
    'When the period began, by which rule, what interrupted it and when, and the day on which it runs out.',
  access: ['case.read'],
  params: Type.Object({ caseGuid: guid('Case') }),
  status: 200,
  response: LimitationClock,
})
