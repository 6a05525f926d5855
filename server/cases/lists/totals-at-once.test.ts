/** Two nodes remember totals while eight writers change debtors: right after each write both totals are exact. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { ListMemory } from '../../platform/database/list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { agencyCaller, openCases, today, type OpenedCases } from '../../testing/records/cases.ts'
import { watchDatabase } from '../../testing/watched-database.ts'
import { listDebtors } from '../../parties/debtors/debtors.store.ts'

let api: TestApi
let cases: OpenedCases
let restricted: Caller
let nodes: { pool: Sql; totals: ListMemory }[]
let watched: ReturnType<typeof watchDatabase>
before(async () => {
  api = await startApi()
  cases = await openCases(api)
  restricted = { ...agencyCaller, role: 9, partyId: cases.client, partyIds: [cases.client] }
  watched = watchDatabase(api.databaseUrl)
  nodes = [1, 2].map(() => {
    const pool = openDatabase(watched.url, { max: 4, planEach: true, onnotice: watched.onnotice })
    return { pool, totals: new ListMemory(pool) }
  })
})
after(async () => {
  await Promise.all(nodes.map(({ pool }) => pool.end()))
  await api.close()
})

const make = async (fullName: string) =>
  (await api.call<Debtor>('POST', '/debtors', { body: { fullName, juridicalType: 1, countryCode: 'SE' } }))
    .body.debtorGuid
const change = (guid: string, body: object) => api.call('PATCH', `/debtors/${guid}`, { body })
const readTotals = (caller: Caller, part: string) =>
  Promise.all(
    nodes.map(async ({ pool, totals }) => {
      const query = { $filter: `contains(fullName,'${part}')`, $top: 1 }
      return (await listDebtors(pool, caller, query, { totals, today })).total
    }),
  )

async function writeAndCompare(part: string): Promise<void> {
  const named: string[] = []
  const seen = new Set<string>()
  const compare = async (step: string) => {
    assert.deepEqual(await readTotals(agencyCaller, part), [named.length, named.length], `${part} ${step}`)
    assert.deepEqual(
      await readTotals(restricted, part),
      [seen.size, seen.size],
      `${part} ${step}, restricted`,
    )
  }
  await compare('nothing')
  for (let round = 0; round < 4; round++) {
    const guid = await make(`Firma ${part} ${round} AB`)
    named.push(guid)
    await compare('created')
    await change(guid, { email: `${part}${round}@example.com`, domicile: `Ort ${round}` })
    await compare('other members changed')
    await cases.register({ debtorGuid: guid })
    seen.add(guid)
    await compare('case registered')
    await change(guid, { fullName: `Firma ${round} AB` })
    named.pop()
    seen.delete(guid)
    await compare('renamed away')
    await change(guid, { fullName: `Firma ${part} ${round} HB` })
    named.push(guid)
    seen.add(guid)
    await compare('renamed back')
  }
}

/** How many counts both nodes take for their totals. */
const counts = async () => {
  watched.take()
  await readTotals(agencyCaller, 'Epsix')
  return watched.take().filter(({ text }) => text.startsWith('select (select count')).length
}

test('totals of names are exact right after each write, on both nodes and for a restricted user', async () => {
  await Promise.all(['Alfax', 'Betax', 'Gamax', 'Delax'].map(writeAndCompare))
})

test('a total of names outlives changes of other members, and is counted anew after a change of a name', async () => {
  const guid = await make('Firma Epsix AB')
  // So many match that a page does not count them by itself.
  await api.sql`
    insert into debtor (id, full_name, juridical_type, reg_date, created_by_party_id)
    select gen_random_uuid(), 'Firma Epsix ' || n, 1, now(), (select id from party where parent_id is null)
    from generate_series(1, 100) n`
  assert.equal(await counts(), 2)
  assert.equal(await counts(), 0)
  await change(guid, { email: 'epsix@example.com' })
  await change(guid, { cellularPhone: '+46701740605', placeOfBirth: 'Lund' })
  assert.equal(await counts(), 0)
  await change(guid, { fullName: 'Firma Epsix HB' })
  assert.equal(await counts(), 2)
})

/** The totals of both callers on both nodes, and how many counts they take. */
const readAndCount = async (part: string) => {
  watched.take()
  const totals = [await readTotals(agencyCaller, part), await readTotals(restricted, part)]
  const counted = watched.take().filter(({ text }) => text.startsWith('select (select count')).length
  return { totals, counted }
}

test('a total of names outlives new debtors and cases of other names, also of a restricted user', async () => {
  const parts = ['Zetaq', 'Ångström']
  for (const part of parts) await make(`Firma ${part} AB`)
  await api.sql`
    insert into debtor (id, full_name, juridical_type, reg_date, created_by_party_id)
    select gen_random_uuid(), 'Firma ' || part || ' ' || n, 1, now(), ${cases.client}
    from generate_series(1, 100) n, unnest(${parts}::text[]) part`
  for (const part of parts) assert.equal((await readAndCount(part)).counted, 4)
  for (const name of ['Jo Ek', 'Bo Al', 'Li']) await cases.register({ debtorGuid: await make(name) })
  for (const part of parts)
    assert.deepEqual(await readAndCount(part), {
      totals: [
        [101, 101],
        [100, 100],
      ],
      counted: 0,
    })
  await cases.register({ debtorGuid: await make(`Firma ${parts[1]!}s Bygg`) })
  assert.deepEqual((await readAndCount(parts[1]!)).totals, [
    [102, 102],
    [101, 101],
  ])
})
