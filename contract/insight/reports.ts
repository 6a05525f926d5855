/** Reports on cases and money: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { guid, key } from '../metadata/fields.ts'
import { aboutPast, pastDays, pastMembers } from '../platform/as-of.ts'
import { operation } from '../platform/operation.ts'

export const reportNames = ['portfolio', 'aging', 'collected', 'trust', 'trust-balance', 'plans'] as const
export type ReportName = (typeof reportNames)[number]

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } }))
const date = (description: string) =>
  Type.String({ format: 'date-time', description, 'x-field': { kind: 'date' } })

const reportRow = Type.Unsafe<Record<string, string | number | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'null'] },
})

export const Report = Type.Object(
  {
    reportName: Type.Unsafe<ReportName>({ type: 'string', enum: [...reportNames] }),
    title: key(100, 'Title, in the language of the caller'),
    businessDate: date('The business date of the report.'),
    from: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'First value date; null for a report without a first date.',
    }),
    to: date("Last value date, or the date of the report's figures."),
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
    rows: Type.Array(reportRow, {
      description: 'A member for each column; money in the currency of the row.',
    }),
    totals: Type.Array(reportRow, {
      description: 'Totals per currency: amounts of different currencies are not added.',
    }),
    ...pastMembers,
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
    '`portfolio` (cases by client and status), `aging` (amounts open by days overdue), `collected` (by client and month of the value date), `trust` (money received for clients, paid out and held), ' +
    '`trust-balance` (the balance of the bank account compared with the owners of the money; for the agency alone), `plans` (performance of payment plans). Covers the clients that the caller may see, by currency. ' +
    '`portfolio`, `aging` and `plans` are as of the business date. `format=csv` or `format=pdf` returns a file. The PDF spells out statuses, plan types and months in the caller’s language; the CSV has the codes of the rows. ' +
    'If the installation has a replica, the report is read from it and may be a minute old; `Cache-Control: no-cache` asks for the latest.' +
    aboutPast +
    ' `portfolio` and `aging` then take at most 20,000 cases, and `plans` has no past.',
  access: ['report.read'],
  params: Type.Object({ reportName: key(40, 'Report') }),
  query: Type.Object(
    {
      from: day('First value date of `collected`. Default: 1 January.'),
      to: day('Last value date of `collected`, `trust` and `trust-balance`. Default: the business date.'),
      ...pastDays,
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
  example: { params: { reportName: 'collected' }, query: { from: '2026-01-01', to: '2026-06-30' } },
})
