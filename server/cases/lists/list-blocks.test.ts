/** How many blocks a page of a list reads: few, however many rows the list has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { ListMemory, type ListContext, type Page, type PageQuery } from '../../platform/database/list.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { listDebtors } from '../../parties/debtors/debtors.store.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, openCases } from '../../testing/records/cases.ts'
import { copyCases } from '../../testing/records/many-cases.ts'
import { countRows, sumBlocks, watchDatabase } from '../../testing/watched-database.ts'
import { listAllCases } from '../all-cases.store.ts'
import { listAllPayments } from '../all-payments.store.ts'

type List = (db: Db, caller: Caller, query: PageQuery, context: ListContext) => Promise<Page<unknown>>

/** Of the client that most cases have, and of the other. */
const [large, small] = [3000, 1000]
/** A tenth of what reading the rows of the large client one by one takes. */
const most = 900

const assertLight = (blocks: number) => assert.ok(blocks > 0 && blocks < most, `${blocks} blocks`)

describe('the blocks that a page reads', () => {
  let api: TestApi
  let lists: Sql
  let restricted: Caller
  let context: ListContext
  let watched: ReturnType<typeof watchDatabase>
  before(async () => {
    api = await startApi()
    const cases = await openCases(api)
    const { caseGuid } = await cases.register()
    await cases.pay({ caseGuid, amount: 10 })
    await copyCases(api.sql, { caseGuid, clientGuid: cases.client, count: large })
    await copyCases(api.sql, { caseGuid, clientGuid: cases.other, count: small })
    await api.sql`vacuum (analyze)`
    watched = watchDatabase(api.databaseUrl)
    lists = openDatabase(watched.url, { max: 1, planEach: true, onnotice: watched.onnotice })
    context = { totals: new ListMemory(lists, { prefixesSortFirst: true }), today: '2026-06-15' }
    restricted = { ...agencyCaller, role: 9, partyId: cases.client, partyIds: [cases.client] }
  })
  after(async () => {
    await lists.end()
    await api.close()
  })

  /** The total, and the blocks of the second request, which finds the total counted. */
  const read = async (list: List, caller: Caller, query: PageQuery) => {
    await list(lists, caller, query, context)
    watched.take()
    const { total, count } = await list(lists, caller, query, context)
    return { total, count, blocks: sumBlocks(watched.take()) }
  }

  for (const [query, total] of [
    [{ $filter: "contains(fullName,'tor 1')", $orderby: 'fullName' }, 1111],
    [{ $filter: "startswith(fullName,'Debtor 2')", $orderby: 'fullName desc' }, 1111],
    [{ $filter: "city eq 'City 3'", $orderby: 'fullName' }, 300],
    [{ $filter: "contains(fullName,'tor 1') and city eq 'City 1'", $orderby: 'fullName' }, 112],
    [{ $filter: 'juridicalType eq 0', $orderby: 'fullName' }, large + 1],
    [{ $orderby: 'dateOfBirth desc' }, large + 1],
    [{ $orderby: 'city', $skip: 2000 }, large + 1],
  ] satisfies [PageQuery, number][])
    test(`debtors of a large client: ${JSON.stringify(query)}`, async () => {
      const page = await read(listDebtors, restricted, { ...query, $top: 10 })
      assert.equal(page.total, total)
      assert.equal(page.count, 10)
      assertLight(page.blocks)
    })

  test('a part of a name that many have is counted off the names of a large client', async () => {
    const query = { $filter: "contains(fullName,'tor')", $orderby: 'fullName', $top: 10 }
    const anew = { ...context, totals: new ListMemory(lists, { prefixesSortFirst: true }) }
    watched.take()
    const { total } = await listDebtors(lists, restricted, query, anew)
    const rows = watched.take().map(({ plan }) => countRows(plan, 'debtor'))
    assert.equal(total, large)
    assert.ok(rows.reduce((sum, one) => sum + one, 0) < large / 2, `${rows.join(' and ')} rows of debtors`)
  })

  for (const $orderby of ['clientName', 'clientName desc', 'clientGuid', 'mainDebtorGuid desc'])
    test(`all cases by ${$orderby}`, async () => {
      const page = await read(listAllCases, agencyCaller, { $orderby, $top: 10 })
      assert.equal(page.total, large + small + 1)
      assert.ok(page.blocks < 200, `${page.blocks} blocks`)
    })

  test('the pages of cases by client make up the sorted list, clients of one name together', async () => {
    await api.sql`update party set name = 'Same' where reference_code in ('CLIENT', 'OTHER')`
    for (const direction of ['asc', 'desc']) {
      const sorted = await api.sql.unsafe<{ id: string }[]>(`
        select c.id from debt_case c join party p on p.id = c.client_id where c.case_number like '%7'
        order by p.name collate fordra_order ${direction}, c.id ${direction}`)
      for (const $skip of [0, 150, sorted.length - 3]) {
        const query = {
          $filter: "endswith(caseNumber,'7')",
          $orderby: `clientName ${direction}`,
          $skip,
          $top: 5,
        }
        const { value, total } = await listAllCases(lists, agencyCaller, query, context)
        const expected = sorted.slice($skip, $skip + 5).map(({ id }) => id)
        assert.deepEqual(
          value.map(({ caseGuid }) => caseGuid),
          expected,
        )
        assert.equal(total, sorted.length)
      }
    }
  })

  for (const query of [
    {},
    { $orderby: 'valueDate desc' },
    { $orderby: 'bookedDate' },
    { $filter: 'bookedDate ge 2026-01-01', $orderby: 'paymentGuid' },
  ])
    test(`all payments: ${JSON.stringify(query)}`, async () => {
      const page = await read(listAllPayments, agencyCaller, { ...query, $top: 10 })
      assert.equal(page.total, large + small + 1)
      assertLight(page.blocks)
    })
})
