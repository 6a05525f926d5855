/** The explanation of a case's amounts: the postings and interest periods that each consists of. */
import { Type, type Static } from 'typebox'
import { aboutPast, pastMembers, readAsOfQuery } from '../platform/as-of.ts'
import { operation } from '../platform/operation.ts'
import { caseFields, ofCase } from './cases.ts'

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
    days: Type.Optional(Type.Integer({ description: 'Interest: the number of days, by the day count.' })),
    daysInYear: Type.Optional(
      Type.Integer({ description: 'Interest: the days of the year: 365, 366, or 360 in months of 30 days.' }),
    ),
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
    caseNumber: caseFields.caseNumber,
    currencyCode: caseFields.currencyCode,
    asOf: Type.String({
      format: 'date-time',
      description: 'The business date, or the day asked for.',
      'x-field': { kind: 'date' },
    }),
    knownAt: pastMembers.knownAt,
    dayCount: Type.Unsafe<'actual/365' | 'actual/actual' | '30/360'>({
      type: 'string',
      enum: ['actual/365', 'actual/actual', '30/360'],
      description:
        'The days of a year in interest on this day: always 365, those of the calendar year, or 360 in months of 30 days.',
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
