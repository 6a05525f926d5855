/** The SQL that the product sends for an operation, written down while it runs, so that the ceilings run the very same. */
import { readSettings } from '../../server/platform/config.ts'
import { openDatabase } from '../../server/platform/database/database.ts'
import { doPrefixesSortFirst } from '../../server/platform/database/lists/text-order.ts'
import { ListMemory, type ListContext } from '../../server/platform/database/list.ts'
import type { Db } from '../../server/platform/database/transaction.ts'
import type { Caller } from '../../server/platform/http/caller.ts'

export interface Statement {
  text: string
  parameters: (string | number | null)[]
  /** Whether the driver keeps it prepared under a name; else it is parsed and planned each time. */
  prepared: boolean
  /** Whether it runs where every statement is planned with its values. */
  planEach?: boolean
}

/** Stands for the value that changes from request to request; a GUID, so that it fits wherever one is wanted. */
export const anyValue = '00000000-0000-4000-8000-000000000000'

/** An administrator, who sees every debtor. */
export const benchCaller: Caller = {
  userId: anyValue,
  sessionId: anyValue,
  partyId: anyValue,
  role: 2,
  accessCodes: new Set(),
  partyIds: null,
  language: 'en',
  mfaPending: false,
}

/** Connections of a server that runs with the settings' defaults. */
export const poolSize = readSettings({}).FORDRA_POOL

/** Runs the work twice, since the first time may count what is remembered from then on, and returns the second time's statements. */
export async function recordStatements(
  url: string,
  work: (db: Db, context: ListContext) => Promise<unknown>,
): Promise<Statement[]> {
  let recorded: Statement[] = []
  const open = (planEach: boolean) =>
    openDatabase(url, {
      max: 1,
      planEach,
      onstatement: (text, parameters) =>
        recorded.push({ text, parameters: parameters as Statement['parameters'], prepared: false, planEach }),
    })
  const [sql, lists] = [open(false), open(true)]
  try {
    // A connection's first statement is preceded by one of the driver's own.
    await Promise.all([sql`select`, lists`select`])
    const context = {
      totals: new ListMemory(lists, { prefixesSortFirst: await doPrefixesSortFirst(sql) }),
      today: new Date().toISOString().slice(0, 10),
    }
    await work(sql, context)
    recorded = []
    await work(sql, context)
    const statements = recorded.map((statement) => ({ ...statement }))
    const kept = await Promise.all(
      [sql, lists].map((pool) => pool<{ statement: string }[]>`select statement from pg_prepared_statements`),
    )
    const names = new Set(kept.flat().map(({ statement }) => statement))
    return statements.map((statement) => ({ ...statement, prepared: names.has(statement.text) }))
  } finally {
    await Promise.all([sql.end({ timeout: 5 }), lists.end({ timeout: 5 })])
  }
}

/** The statement's parameters for one request. */
export const fillParameters = ({ parameters }: Statement, value: string): Statement['parameters'] =>
  parameters.map((parameter) =>
    typeof parameter === 'string' ? parameter.replace(anyValue, value) : parameter,
  )
