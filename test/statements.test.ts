/** Every SQL statement of the server is prepared against the migrated schema, and its columns compared with the row type. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { customer } from '../server/parties/holdings/holding-kinds.ts'
import { openDatabase, type Database } from '../server/platform/database/database.ts'
import { openTestDatabase, type TestDatabase } from '../server/testing/database.ts'
import { findMismatches, openDescriber, type Column } from '../server/testing/statements/compare-rows.ts'
import { findStatements, type FoundStatement } from '../server/testing/statements/find-statements.ts'
import { openSource, type Source } from '../server/testing/statements/source.ts'

/** What stands for values that only a running program has: by file and name, of parameters also by their type. */
const known = new Map<string, unknown>([
  ['server/integration/imports/custom-columns.ts table', 'debtor'],
  ['server/metadata/fields/fields.store.ts column', 'email'],
  ['server/metadata/fields/fields.store.ts field', { code: 'x', type: 'date' }],
  ['server/metadata/fields/fields.store.ts storedIn', { table: 'debtor' }],
  ['server/metadata/fields/fields.store.ts table', 'debtor'],
  ['server/parties/holdings/holdings.store.ts HoldingKind', customer],
  [
    'server/platform/dictionary/custom-fields.store.ts storedIn',
    { table: 'address', subject: { table: 'debtor', column: 'debtor_id' } },
  ],
  ['server/platform/events/tracked-row.ts at', { table: 'third_party' }],
  ['server/plans/plans.store.ts names', ['active']],
  ['server/plans/write-plans.store.ts parts', ['paid']],
])

/** Made at run time, beside the migrations. */
const otherTables = `
  create schema if not exists fordra_replica;
  create table if not exists fordra_replica.caller_write (caller_id uuid primary key, position pg_lsn not null);
  create temporary table rolled_case (id uuid not null, moved boolean)`

/** The insides of `findRow`, `listRows` and `streamRows`: the sources that they are called with are read instead. */
const unread = {
  // Filters of directories, compiled at run time.
  'server/access/scim/scim-groups.store.ts': 2,
  'server/access/scim/scim-users.store.ts': 2,
  // The kinds that an export for import carries, which its tests run.
  'server/integration/exports/for-import/export-for-import.ts': 1,
  // The sources of the exports.
  'server/integration/odata/read-odata.ts': 1,
  'server/platform/database/find-row.ts': 2,
  'server/platform/database/list.ts': 2,
  'server/platform/database/lists/first-page.ts': 1,
  'server/platform/database/lists/keyset-page.ts': 1,
  'server/platform/database/lists/settled-totals.ts': 1,
  'server/platform/database/lists/sums.ts': 1,
  'server/platform/database/stream-rows.ts': 2,
  // Which jobs are within a scope.
  'server/platform/jobs/jobs.store.ts': 1,
  // The rows of a list that a filter matches.
  'server/work/bulk-actions/bulk-actions.store.ts': 3,
}

/** Columns that may be null, but not in the rows of this statement, and why. */
const neverNull: Record<string, string> = {
  'server/access/approvals/lone-acts.store.ts caseGuid': 'is compared with those asked for',
  'server/access/api-users/client-secrets.store.ts clientId': 'who has a secret has a client id',
  'server/cases/all-payments.store.ts paymentGuid': 'only movements of payments are listed',
  'server/integration/commands/day-end.store.ts figures': 'every chunk writes them',
  'server/integration/feed/search-events.ts id': 'an entry with a type is an event',
  'server/integration/feed/search-events.ts sequence': 'an entry with a type is an event',
  'server/integration/imports/books/case-histories.store.ts key': 'is compared with those asked for',
  'server/integration/imports/books/debtor-extras.ts key': 'is compared with those asked for',
  'server/integration/imports/import-kind.ts reference': 'is compared with those asked for',
  'server/integration/imports/kinds/holdings.ts key': 'is compared with those asked for',
  'server/integration/services/services.store.ts recipient': 'the condition says so',
  'server/parties/debtors/insert-debtors.store.ts reference': 'is compared with those asked for',
  'server/platform/jobs/dead-nodes.ts pool': 'whoever locks a job is named',
  'server/platform/jobs/jobs.store.ts attemptId': 'the statement sets it',
}

const stripLineNumber = ({ place }: FoundStatement) => place.replace(/:\d+$/, '')

const isExcused = (statement: FoundStatement, mismatch: string) =>
  `${stripLineNumber(statement)} ${/^may give null as (\w+)$/.exec(mismatch)?.[1]}` in neverNull

describe('the SQL statements of the server', () => {
  let source: Source
  let database: TestDatabase
  let connection: Database
  let statements: FoundStatement[]
  let describeColumns: (text: string) => Promise<Column[]>

  before(async () => {
    source = openSource()
    statements = findStatements(source, known)
    database = await openTestDatabase()
    // Temporary tables are the connection's own.
    connection = openDatabase(database.url, { max: 1 })
    await connection.unsafe(otherTables).simple()
    describeColumns = await openDescriber(connection)
  })
  after(async () => {
    source.close()
    await connection.end({ timeout: 1 })
    await database.close()
  })

  test('are read from the sources', (t) => {
    const missed = statements.filter((statement) => statement.unread !== undefined)
    const counts = Object.entries(Object.groupBy(missed, stripLineNumber)).map(([file, all]) => [
      file,
      all!.length,
    ])
    const read = statements.length - missed.length
    const typed = statements.filter(({ rowType }) => rowType).length
    const share = ((100 * read) / statements.length).toFixed(1)
    t.diagnostic(`${read} of ${statements.length} places read (${share} %), ${typed} of them with a row type`)
    assert.ok(statements.length > 500 && typed > 250)
    assert.deepEqual(
      Object.fromEntries(counts),
      unread,
      missed.map((one) => `${one.place}: ${one.unread}`).join('\n'),
    )
  })

  test('prepare, and give the columns that their row types name', async () => {
    const wrong = new Set<string>()
    for (const statement of statements) {
      for (const text of statement.texts) {
        try {
          const columns = await describeColumns(text)
          const mismatches = statement.rowType ? findMismatches(source, statement.rowType, columns) : []
          for (const mismatch of mismatches)
            if (!isExcused(statement, mismatch)) wrong.add(`${statement.place} ${mismatch}`)
        } catch (error) {
          wrong.add(`${statement.place} does not prepare: ${(error as Error).message}\n${text}`)
        }
      }
    }
    assert.deepEqual([...wrong], [])
  })

  test('a renamed column, another type and a null are noticed', async () => {
    const { rowType, texts } = statements.find(({ place }) =>
      place.startsWith('server/access/sessions/sessions.store.ts'),
    )!
    const [first, ...others] = await describeColumns(texts[0]!)
    const mismatches = (column: Column) => findMismatches(source, rowType!, [column, ...others])
    assert.deepEqual(mismatches(first!), [])
    assert.deepEqual(mismatches({ ...first!, name: 'renamed' }), [`has no column ${first!.name}`])
    assert.match(mismatches({ ...first!, type: 16 }).join(), / as boolean, not /)
    assert.deepEqual(mismatches({ ...first!, mayBeNull: true }), [`may give null as ${first!.name}`])
  })
})
