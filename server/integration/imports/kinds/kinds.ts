/** The kinds of imports. Each is loaded on demand, so that an import takes no memory for the others. */
import type { Sql } from '../../../platform/database/driver/pool.ts'
import type { ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { importFile, type ImportContext, type ImportReport, type ImportRequest } from '../import-file.ts'

type Start = (sql: Sql, request: ImportRequest, context: ImportContext) => Promise<ImportReport>

export const imports = {
  debtors: async (sql, request, context) =>
    importFile(sql, (await import('./debtors.ts')).debtorImport, request, context),
  parties: async (sql, request, context) =>
    importFile(sql, (await import('./parties.ts')).partyImport, request, context),
  users: async (sql, request, context) =>
    importFile(sql, (await import('./users.ts')).userImport, request, context),
  cases: async (sql, request, context) =>
    importFile(sql, (await import('./cases.ts')).caseImport, request, context),
  invoices: async (sql, request, context) =>
    importFile(sql, (await import('./case-money.ts')).invoiceImport, request, context),
  payments: async (sql, request, context) =>
    importFile(sql, (await import('./case-money.ts')).paymentImport, request, context),
  plans: async (sql, request, context) =>
    importFile(sql, (await import('./plans.ts')).planImport, request, context),
  thirdparties: async (sql, request, context) =>
    importFile(sql, (await import('./holdings.ts')).thirdPartyImport, request, context),
  accounts: async (sql, request, context) =>
    importFile(sql, (await import('./holdings.ts')).accountImport, request, context),
  customers: async (sql, request, context) =>
    importFile(sql, (await import('./holdings.ts')).customerImport, request, context),
  purchases: async (sql, request, context) =>
    importFile(sql, (await import('./holdings.ts')).purchaseImport, request, context),
  objects: async (sql, request, context) =>
    importFile(sql, (await import('./holdings.ts')).objectImport, request, context),
  casehistories: async (sql, request, context) =>
    importFile(sql, (await import('../books/case-histories.ts')).caseHistoryImport, request, context),
  planhistories: async (sql, request, context) =>
    importFile(sql, (await import('../books/plan-histories.ts')).planHistoryImport, request, context),
} as const satisfies Record<ImportedKind, Start>
export type { ImportedKind }
