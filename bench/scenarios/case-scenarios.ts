/** What is measured of cases: a debtor's overview (D5) and page of cases (D6). */
import { basePath } from '../../contract/api.ts'
import * as store from '../../server/cases/cases.store.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { ListContext } from '../../server/platform/database/list.ts'
import { requireDebtor } from '../../server/parties/debtors/debtor-lock.ts'
import type { Scenario } from './scenarios.ts'
import { anyValue, benchCaller, recordStatements } from './statements.ts'

const requests = 5000

/** The debtor of the statements that are written down is none: what follows the look at it is run all the same. */
const lookForDebtor = (db: Db) => requireDebtor(db, benchCaller, anyValue).catch(() => undefined)

function caseScenario(
  name: string,
  path: (debtorGuid: string) => string,
  work: (db: Db, context: ListContext) => Promise<unknown>,
): Scenario {
  return {
    name,
    kind: 'filtered',
    status: 200,
    page: false,
    distinct: false,
    fewestDebtors: 1,
    statements: async (url) => [
      await recordStatements(url, async (db, context) => {
        await lookForDebtor(db)
        await work(db, context)
      }),
    ],
    product: ({ nextKey }) =>
      Array.from({ length: requests }, () => ({ method: 'GET', path: basePath + path(nextKey()) })),
    bare: ({ nextKey }) =>
      Array.from({ length: requests }, () => ({ method: 'GET', path: `/${name}/${nextKey()}` })),
  }
}

export const caseScenarios: readonly Scenario[] = [
  caseScenario(
    'case-overview',
    (debtor) => `/debtors/${debtor}/caseoverview`,
    async (db) => {
      await store.findOverviewDebtor(db, anyValue)
      await store.listOverviewCases(db, benchCaller, anyValue)
    },
  ),
  caseScenario(
    'case-list',
    (debtor) => `/debtors/${debtor}/cases`,
    (db, context) => store.listCases(db, benchCaller, anyValue, {}, context),
  ),
]
