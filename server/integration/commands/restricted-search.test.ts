/** A search by a user restricted to clients finds their debtors without a look at all others of the name. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SearchHit } from '../../../contract/metadata/search.ts'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import { addCaseDebtor, removeCaseDebtor } from '../../cases/case-debtors.ts'
import { rebuildItems } from './commands.store.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, context, openCases, type OpenedCases } from '../../testing/records/cases.ts'
import { copyCases } from '../../testing/records/many-cases.ts'
import { sumBlocks, watchDatabase } from '../../testing/watched-database.ts'
import { findLookupItems } from '../../metadata/search/lookup-items.store.ts'
import { findHits, searchItems } from '../../metadata/search/search.routes.ts'
import { typeOrder } from '../../metadata/search/search.rules.ts'

/** Debtors of the two clients with the same words in their names. */
const [large, small] = [3000, 12]

const restrictedTo = (...partyIds: string[]): Caller => ({ ...agencyCaller, role: 9, partyIds })

describe('the search of a restricted user', () => {
  let api: TestApi
  let cases: OpenedCases
  let sql: Sql
  let watched: ReturnType<typeof watchDatabase>
  before(async () => {
    api = await startApi()
    cases = await openCases(api)
    const { caseGuid } = await cases.register()
    await cases.pay({ caseGuid, amount: 10 })
    await copyCases(api.sql, { caseGuid, clientGuid: cases.client, count: large })
    await copyCases(api.sql, { caseGuid, clientGuid: cases.other, count: small })
    await rebuildItems(api.sql)
    await api.sql`vacuum (analyze)`
    watched = watchDatabase(api.databaseUrl)
    sql = openDatabase(watched.url, { max: 1, onnotice: watched.onnotice })
  })
  after(async () => {
    await sql.end()
    await api.close()
  })

  /** The blocks of the second time, when the plans are known. */
  const countBlocks = async (work: () => Promise<unknown>) => {
    await work()
    watched.take()
    await work()
    return sumBlocks(watched.take())
  }

  for (const [text, most] of [
    ['debtor', 600],
    ['debtor of', 600],
    ['debt', 600],
    ['debtor 7', 600],
    ['debtor 2222', 600],
    ['nobody', 200],
  ] as const)
    test(`"${text}" reads few blocks for a user of either client and for two clients`, async () => {
      for (const clients of [[cases.other], [cases.client], [cases.client, cases.other]]) {
        const blocks = await countBlocks(() => findHits(sql, restrictedTo(...clients), text, typeOrder))
        assert.ok(blocks < most, `${blocks} blocks`)
      }
    })

  test('a lookup of debtors reads few blocks too', async () => {
    const caller = restrictedTo(cases.other)
    const wanted = { type: 3, text: 'debtor', most: 20 } as const
    assert.equal((await findLookupItems(sql, caller, wanted)).length, small)
    const blocks = await countBlocks(() => findLookupItems(sql, caller, { ...wanted, most: 10 }))
    assert.ok(blocks < 300, `${blocks} blocks`)
  })

  for (const text of ['debtor', 'debtor of other', 'debtor 3', 'deb', 'dbetor', 'debtor 3000'])
    test(`"${text}" finds what an unrestricted search finds among the client's debtors`, async () => {
      const own = await api.sql<{ id: string }[]>`
        select distinct debtor_id as id from case_debtor where client_id = ${cases.other}`
      const ids = new Set(own.map(({ id }) => id))
      const hits = await searchItems(sql, restrictedTo(cases.other), text, [3])
      assert.ok(hits.every(({ guid }) => ids.has(guid)))
      const everything = await findAll(text)
      const expected = everything.filter((guid) => ids.has(guid))
      assert.deepEqual(hits.map(({ guid }) => guid).toSorted(), expected.toSorted())
    })

  /** What the text finds when no other client's debtors are there to crowd it out. */
  async function findAll(text: string): Promise<string[]> {
    return api.sql
      .begin(async (tx) => {
        await tx`delete from item where debtor_id in (select debtor_id from case_debtor where client_id = ${cases.client})`
        const hits = await searchItems(tx, agencyCaller, text, [3])
        throw new Found(hits.map(({ guid }) => guid))
      })
      .catch((error: unknown) => {
        if (error instanceof Found) return error.guids
        throw error
      })
  }
})

/** Ends the transaction, so that what it deleted is there again. */
class Found extends Error {
  readonly guids: string[]
  constructor(guids: string[]) {
    super('found')
    this.guids = guids
  }
}

describe('the clients of an item', () => {
  let api: TestApi
  let cases: OpenedCases
  let own: string
  let others: string
  before(async () => {
    api = await startApi()
    cases = await openCases(api)
    own = await api.signIn(9, cases.client)
    others = await api.signIn(9, cases.other)
  })
  after(() => assertComplete().finally(() => api.close()))

  /** Each debtor's item names the clients of its cases. */
  const assertComplete = async () =>
    assert.deepEqual(
      [
        ...(await api.sql`
          select d.full_name, i.search_keys from debtor d join item i on i.guid = d.id
          where not i.search_keys @> debtor_client_keys(d.id)`),
      ],
      [],
    )
  const make = async (fullName: string) =>
    (await api.call<Debtor>('POST', '/debtors', { body: { fullName } })).body.debtorGuid
  const finds = async (token: string, q: string) =>
    (await api.call<{ items: SearchHit[] }>('GET', `/search?${new URLSearchParams({ q })}`, { token })).body
      .items.length > 0

  test('a debtor is found by a client from its first case on, whatever changes', async () => {
    const debtorGuid = await make('Selma Ripa')
    assert.deepEqual([await finds(own, 'ripa'), await finds(others, 'ripa')], [false, false])
    await cases.register({ debtorGuid })
    assert.deepEqual([await finds(own, 'ripa'), await finds(others, 'ripa')], [true, false])
    for (const body of [{ email: 'selma.ripa@example.com' }, { cellularPhone: '+46701740605' }])
      assert.equal((await api.call('PATCH', `/debtors/${debtorGuid}`, { body })).status, 200)
    assert.deepEqual([await finds(own, 'ripa'), await finds(others, 'ripa')], [true, false])
    await cases.register({ debtorGuid, clientGuid: cases.other })
    assert.deepEqual([await finds(own, 'ripa'), await finds(others, 'ripa')], [true, true])
    await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { fullName: 'Selma Vall' } })
    assert.deepEqual([await finds(own, 'vall'), await finds(others, 'vall')], [true, true])
    await assertComplete()
  })

  test('a debtor without a case is found by the party that made it, also when it has none left', async () => {
    const debtorGuid = await make('Torvald Skog')
    await api.sql`update debtor set created_by_party_id = ${cases.client} where id = ${debtorGuid}`
    assert.deepEqual([await finds(own, 'skog'), await finds(others, 'skog')], [true, false])
    const { caseGuid } = await cases.register({ clientGuid: cases.other })
    const input = { debtorGuid, debtorRole: 'CO_DEBTOR' as const }
    await addCaseDebtor(api.sql, agencyCaller, { caseGuid, input }, context)
    assert.deepEqual([await finds(own, 'skog'), await finds(others, 'skog')], [false, true])
    await removeCaseDebtor(api.sql, agencyCaller, { caseGuid, debtorGuid }, context)
    assert.deepEqual([await finds(own, 'skog'), await finds(others, 'skog')], [true, false])
    await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { email: 'skog@example.com' } })
    assert.deepEqual([await finds(own, 'skog'), await finds(others, 'skog')], [true, false])
  })

  test('cases and changes of a debtor at the same time lose no client', async () => {
    const clients = await Promise.all(['A', 'B', 'C', 'D'].map((code) => api.addParty(`SAME-${code}`)))
    const debtorGuid = await make('Ulla Tegel')
    await Promise.all([
      ...clients.map((clientGuid) => cases.register({ debtorGuid, clientGuid })),
      ...[1, 2, 3, 4].map((n) =>
        api.call('PATCH', `/debtors/${debtorGuid}`, { body: { email: `ulla${n}@example.com` } }),
      ),
    ])
    await assertComplete()
    const tokens = await Promise.all(clients.map((client) => api.signIn(9, client)))
    for (const token of tokens) assert.ok(await finds(token, 'tegel'))
  })

  test('an earlier program writes the keys of members alone, and the clients stay', async () => {
    const debtorGuid = await make('Viola Udd')
    await cases.register({ debtorGuid })
    await api.sql`
      update item i set search_keys = debtor_search_keys(d) from debtor d where d.id = ${debtorGuid} and i.guid = d.id`
    assert.ok(await finds(own, 'udd'))
  })

  test('rebuild-search puts missing clients back, and finds nothing to do afterwards', async () => {
    const debtorGuid = await make('Wilma Vik')
    await cases.register({ debtorGuid })
    await api.sql`delete from item where guid = ${debtorGuid}`
    assert.equal(await finds(own, 'vik'), false)
    assert.equal((await rebuildItems(api.sql)).written, 1)
    assert.ok(await finds(own, 'vik'))
    assert.deepEqual(await rebuildItems(api.sql), { written: 0, removed: 0 })
  })
})
