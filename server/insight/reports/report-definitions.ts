/** The reports: columns and queries. */
import type { ReportName } from '../../../contract/insight/reports.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { PastDay } from '../../ledger/as-of/past-day.ts'
import { listPastAging, listPastPortfolio } from './past-reports.ts'
import * as queries from './report-queries.ts'

export type ColumnKind = 'text' | 'integer' | 'money' | 'percent'

export interface ReportDefinition {
  /** True if the report covers a period. Otherwise it is as of one day. */
  hasBeginning?: true
  columns: readonly (readonly [code: string, kind: ColumnKind])[]
  /** As of a day, where that is another computation. Null where there is none. */
  loadPast?:
    | ((db: Db, caller: Caller, range: queries.ReportRange, day: PastDay) => Promise<queries.ReportRow[]>)
    | null
  load(db: Db, caller: Caller, range: queries.ReportRange): Promise<queries.ReportRow[]>
}

const money = (...codes: string[]) => codes.map((code) => [code, 'money'] as const)
const counts = (...codes: string[]) => codes.map((code) => [code, 'integer'] as const)
const client = ['client', 'text'] as const
const currency = ['currencyCode', 'text'] as const

export const reports: Readonly<Record<ReportName, ReportDefinition>> = {
  portfolio: {
    columns: [
      client,
      currency,
      ['status', 'text'],
      ...counts('cases'),
      ...money('original', 'paid', 'writtenOff', 'principal', 'interest', 'fee', 'sum'),
    ],
    load: queries.listPortfolio,
    loadPast: listPastPortfolio,
  },
  aging: {
    columns: [
      client,
      currency,
      ...counts('cases'),
      ...money('notDue', 'days30', 'days60', 'days90', 'days180', 'days365', 'older', 'noDueDate', 'sum'),
    ],
    load: queries.listAging,
    loadPast: listPastAging,
  },
  collected: {
    hasBeginning: true,
    columns: [
      client,
      currency,
      ['month', 'text'],
      ...money('principal', 'interest', 'fee', 'sum', 'thirdParty'),
    ],
    load: queries.listCollected,
  },
  trust: {
    columns: [client, currency, ...money('received', 'agencysShare', 'clientsShare', 'paidOut', 'held')],
    load: queries.listTrust,
  },
  'trust-balance': {
    columns: [currency, ...money('bank', 'held', 'agencysShare', 'credit', 'suspense', 'difference')],
    load: queries.listTrustBalance,
  },
  plans: {
    columns: [
      currency,
      ['planType', 'text'],
      ...counts('proposed', 'active', 'completed', 'breached', 'cancelled'),
      ...money('due', 'paid'),
      ...counts('missed'),
      ['paidPercent', 'percent'],
    ],
    load: queries.listPlanPerformance,
    loadPast: null,
  },
}
