/** Reports on the portfolio and the money: operations of ours. */
import { Type, type Static } from 'typebox'
import { guid, key } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'

export const reportNames = ['portfolio', 'aging', 'collected', 'trust', 'trust-balance', 'plans'] as const
export type ReportName = (typeof reportNames)[number]

const day = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))
const date = (description: string) => Type.String({ format: 'date-time', description })

export const Report = Type.Object(
  {
    reportName: Type.Unsafe<ReportName>({ type: 'string', enum: [...reportNames] }),
    title: key(100, 'Title, in the language of the caller'),
    businessDate: date('The business date on which it was made.'),
    from: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'First value date; null for a report that has no beginning.',
    }),
    to: date('Last value date, or the day as of which it is.'),
    columns: Type.Array(
      Type.Object({
        code: key(30, 'Member of the rows'),
        title: key(100, 'Title, in the language of the caller'),
        kind: Type.Unsafe<'text' | 'integer' | 'money' | 'percent'>({
          type: 'string',
          enum: ['text', 'integer', 'money', 'percent'],
        }),
      }),
    ),
    rows: Type.Array(
      Type.Unsafe<Record<string, string | number | null>>({ type: 'object', additionalProperties: true }),
      { description: 'A member for each column; money in the currency of the row.' },
    ),
    totals: Type.Array(
      Type.Unsafe<Record<string, string | number | null>>({ type: 'object', additionalProperties: true }),
      { description: 'The sums, for each currency by itself: amounts of several currencies have none.' },
    ),
  },
  { $id: 'Report' },
)
export type Report = Static<typeof Report>

export const getReport = operation({
  id: 'getReport',
  name: 'getReport',
  method: 'GET',
  path: '/reports/:reportName',
  area: 'Debtors',
  summary: 'Get a report',
  description:
    '`portfolio` (cases by client and status), `aging` (what open cases owe by days overdue), `collected` (by client and month of the value date), `trust` (money received for clients, passed on and held), ' +
    '`trust-balance` (the bank account against whose money is on it; the agency’s alone), `plans` (how payment plans go). Of the clients that the caller may see, money by currency. ' +
    '`portfolio`, `aging` and `plans` are as of the business date. With `format=csv` or `format=pdf` as a file: a status, a type of plan and a month stand in the PDF in the words of the caller’s language, in the CSV as the codes that the rows have. ' +
    'Read from a replica that is at most a minute behind, where the installation has one; `Cache-Control: no-cache` asks for the latest.',
  access: ['report.read'],
  params: Type.Object({ reportName: key(40, 'Report') }),
  query: Type.Object(
    {
      from: day('First value date, of `collected`: the first of January without.'),
      to: day('Last value date, of `collected`, `trust` and `trust-balance`: the business date without.'),
      clientGuid: Type.Optional(guid('Only this client')),
      format: Type.Optional(
        Type.Unsafe<'json' | 'csv' | 'pdf'>({
          type: 'string',
          enum: ['json', 'csv', 'pdf'],
          default: 'json',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 200,
  response: Report,
  staleSeconds: 60,
  formats: ['text/csv', 'application/pdf'],
  example: { query: { from: '2026-01-01', to: '2026-06-30' } },
})
