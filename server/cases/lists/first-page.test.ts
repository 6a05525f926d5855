/** First pages of the cases of many debtors come by few statements; each debtor gets its own, in order and counted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CaseListItem } from '../../../contract/cases/cases.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { ListMemory, type Page } from '../../platform/database/list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, makeDebtor, openCases, today } from '../../testing/records/cases.ts'
import { watchDatabase } from '../../testing/watched-database.ts'
import { listCases } from '../cases.store.ts'

const show = ({ count, skip, total, value }: Page<CaseListItem>) => ({
  count,
  skip,
  total,
  guids: value.map(({ caseGuid }) => caseGuid),
})
const expected = (guids: readonly string[], top = 10) => ({
  count: Math.min(top, guids.length),
  skip: 0,
  total: guids.length,
  guids: guids.slice(0, top),
})

describe('the first page of the cases of a debtor', () => {
  let api: TestApi
  let sql: Sql
  let watched: ReturnType<typeof watchDatabase>
  let restricted: Caller
  /** Every second case is of the client that the restricted caller may see. */
  const debtors: { debtorGuid: string; own: string[]; all: string[] }[] = []
  before(async () => {
    api = await startApi()
    const cases = await openCases(api)
    for (const count of [0, 1, 2, 3, 12]) {
      const debtorGuid = await makeDebtor(api)
      const all: string[] = []
      const own: string[] = []
      for (let number = 0; number < count; number++) {
        const clientGuid = number % 2 === 0 ? cases.client : cases.other
        const { caseGuid } = await cases.register({ debtorGuid, clientGuid })
        all.push(caseGuid)
        if (number % 2 === 0) own.push(caseGuid)
      }
      debtors.push({ debtorGuid, own: own.toSorted(), all: all.toSorted() })
    }
    restricted = { ...agencyCaller, role: 9, partyId: cases.client, partyIds: [cases.client] }
    watched = watchDatabase(api.databaseUrl)
    sql = openDatabase(watched.url, { max: 4, onnotice: watched.onnotice })
  })
  after(async () => {
    await sql.end()
    await api.close()
  })

  const read = (caller: Caller, debtorGuid: string, $top = 10) =>
    listCases(sql, caller, debtorGuid, { $top }, { totals: new ListMemory(), today })
  test('asked for at the same time by callers with different rights, each is its own', async () => {
    const pages = await Promise.all(
      debtors.flatMap(({ debtorGuid }) => [
        read(agencyCaller, debtorGuid),
        read(restricted, debtorGuid),
        read(agencyCaller, debtorGuid, 25),
        read(agencyCaller, debtorGuid),
      ]),
    )
    assert.deepEqual(
      pages.map(show),
      debtors.flatMap(({ own, all }) => [expected(all), expected(own), expected(all, 25), expected(all)]),
    )
    assert.ok(pages.every(({ value }) => value.every((row) => row.mainDebtorName.length > 0)))
    assert.ok(!JSON.stringify(pages).includes('"$'))
  })

  test('many take two statements, however many they are', async () => {
    const few = debtors.slice(0, 4)
    await Promise.all(few.map(({ debtorGuid }) => read(agencyCaller, debtorGuid)))
    watched.take()
    const asked = Array.from({ length: 40 }, (_, index) => few[index % few.length]!)
    const pages = await Promise.all(asked.map(({ debtorGuid }) => read(agencyCaller, debtorGuid)))
    assert.deepEqual(
      pages.map(show),
      asked.map(({ all }) => expected(all)),
    )
    assert.equal(watched.take().length, 2)
  })
})

describe('the cases of a debtor over HTTP', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  test('are none for a debtor without cases, and 404 for one that does not exist', async () => {
    const debtorGuid = await makeDebtor(api)
    const { status, body } = await api.call<Page<CaseListItem>>('GET', `/debtors/${debtorGuid}/cases`, {
      token: api.token,
    })
    assert.deepEqual([status, body], [200, { count: 0, skip: 0, total: 0, value: [] }])
    const unknown = await api.call('GET', `/debtors/0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70/cases`, {
      token: api.token,
    })
    assert.equal(unknown.status, 404)
  })
})
