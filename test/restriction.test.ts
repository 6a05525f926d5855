/** That nothing is listed or read without the caller's restriction: most of it is checked by the compiler. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findRow } from '../server/platform/database/find-row.ts'
import { listRows, type ListContext, type ListSource } from '../server/platform/database/list.ts'
import type { Db } from '../server/platform/database/transaction.ts'
import { findAddress, listAddresses } from '../server/parties/debtors/addresses.store.ts'
import { findExtraField } from '../server/parties/debtors/extra-fields.store.ts'
import type { Caller } from '../server/platform/http/caller.ts'
import { visibleAuditEntries } from '../server/insight/audit/audit.scope.ts'
import { visibleDebtors, ownedBy } from '../server/parties/debtors/debtors.scope.ts'
import { visibleItems } from '../server/metadata/search/items.scope.ts'
import { unrestricted, type Scope } from '../server/platform/database/row-scope.ts'
import { visibleUsers } from '../server/access/users/users.scope.ts'

const everywhere: Caller = {
  userId: '00000000-0000-4000-8000-000000000001',
  sessionId: '',
  partyId: '00000000-0000-4000-8000-000000000002',
  role: 2,
  accessCodes: new Set(['audit.read']),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}
const creditor: Caller = { ...everywhere, role: 6, partyIds: [everywhere.partyId] }

/** Never run: `tsc` fails when one of the marked lines compiles. */
export function whatDoesNotCompile(
  db: Db,
  source: ListSource<'debtor'>,
  context: ListContext,
  guid: string,
): unknown[] {
  const forged = {
    entity: 'debtor',
    at: () => ({ text: 'true', parameters: [], usesPattern: false }),
  } as const
  // @ts-expect-error -- a made-up scope
  const scope: Scope<'debtor'> = forged
  return [
    scope,
    listRows<object, 'debtor'>(db, source, visibleDebtors(creditor), {}, context),
    // @ts-expect-error -- a list without a scope
    listRows<object, 'debtor'>(db, source, undefined, {}, context),
    // @ts-expect-error -- a list with a condition of one's own
    listRows<object, 'debtor'>(db, source, { text: 'true', parameters: [], usesPattern: false }, {}, context),
    // @ts-expect-error -- a list of debtors by what may be seen of users
    listRows<object, 'debtor'>(db, source, visibleUsers(creditor), {}, context),
    // @ts-expect-error -- the rows' type alone would let any scope pass
    listRows<object>(db, source, visibleUsers(creditor), {}, context),
    // @ts-expect-error -- a read of a debtor by what may be seen of items
    findRow(db, source, guid, visibleItems(creditor)),
    // @ts-expect-error -- a read without a scope
    findRow(db, source, guid),
    // @ts-expect-error -- a lift of the restriction without a reason
    unrestricted('debtor'),
    // @ts-expect-error -- a debtor's addresses by a guid that nobody has looked for
    ownedBy('address', guid),
    // @ts-expect-error -- the same through the stores
    listAddresses(db, guid, {}, context),
    // @ts-expect-error
    findAddress(db, guid, guid),
    // @ts-expect-error
    findExtraField(db, guid, 'name'),
  ]
}

const server = join(import.meta.dirname, '../server')
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(server, path), 'utf8') }))
const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted()

test('these alone have no restriction', () => {
  assert.ok(sources.length > 100)
  assert.deepEqual(filesWith(/\bunrestricted\(/), [
    // Refused to callers who are restricted to clients.
    'access/approvals/approvals.routes.ts',
    // The installation's own: read by user.admin.
    'access/users/access-groups.routes.ts',
    // Nobody is signed in.
    'access/users/password-reset.routes.ts',
    // Refused to callers who are restricted to clients.
    'cases/law-review/law-reviews.scope.ts',
    // Refused to callers who are restricted to clients.
    'integration/commands/schedules.store.ts',
    'integration/imports/uploads.store.ts',
    // The installation's own, and public.
    'ledger/rates/reference-rates.routes.ts',
    // The law's.
    'ledger/rates/statutory-fees.store.ts',
    // The installation's own: read by form.admin, and in every definition.
    'metadata/fields/fields.routes.ts',
    // The installation's own: read by lookup.write, and in every lookup.
    'metadata/lookups/lookup-values.routes.ts',
  ])
  assert.deepEqual(filesWith(/new RowScope\(|as (unknown as )?(Scope|RowScope)\b/), [
    'platform/database/row-scope.ts',
  ])
  assert.deepEqual(filesWith(/as (unknown as )?VisibleGuid\b/), ['platform/database/find-row.ts'])
  assert.deepEqual(
    filesWith(/\.\.\.caller, partyIds/),
    // Narrows it to one of the clients that the caller may see.
    ['insight/dashboard/client-filter.ts'],
    'nobody lifts a caller’s restriction',
  )
})

test('only scope files define what may be seen', () => {
  assert.deepEqual(
    filesWith(/\bdefineScope(Of)?\b|\bvisible-rows\.ts/).filter(
      (path) => !/\.scope\.ts$|^platform\/database\/row-scope\.ts$/.test(path),
    ),
    [],
  )
  assert.deepEqual(filesWith(/d\.created_by_party_id =/), ['access/scope/visible-rows.ts'])
})

test('who has no restriction gets none, and everybody else the parties that they are held to', () => {
  assert.equal(unrestricted('message', 'a test').at(1).text, 'true')
  for (const makeScope of [visibleDebtors, visibleUsers, visibleItems, visibleAuditEntries]) {
    assert.equal(makeScope(everywhere).at(1).text, 'true')
    for (const first of [1, 4]) {
      const { text, parameters } = makeScope(creditor).at(first)
      const numbers = [...text.matchAll(/\$(\d+)::uuid/g)].map(([, number]) => Number(number))
      assert.deepEqual(
        numbers,
        parameters.map((_, index) => first + index),
      )
      assert.ok(parameters.flat().every((value) => value === creditor.partyId))
    }
  }
})
