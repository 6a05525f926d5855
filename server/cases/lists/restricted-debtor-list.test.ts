/** The debtor list of a restricted user is read in parts and must equal the sorted list. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { contextOn, agencyCaller, makeDebtor } from '../../testing/records/cases.ts'
import { registerCase } from '../register-case.ts'
import { ListMemory } from '../../platform/database/list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { untilWaiting } from '../../testing/waiting.ts'
import { findAgency, insertParty } from '../../access/users/parties.store.ts'
import { listDebtors } from '../../parties/debtors/debtors.store.ts'

const names = ['Ek', 'Åberg', 'Öst', 'Ek', 'Al', 'Zorn', 'Berg', 'Ärlig', 'Ek', 'Dahl', 'Berg', 'Cid']

const restrictedCaller = (...partyIds: string[]): Caller => ({
  ...agencyCaller,
  role: 6,
  partyId: partyIds[0]!,
  partyIds,
})

describe('a restricted list of debtors', () => {
  let api: TestApi
  const clients: string[] = []
  const debtors: string[] = []
  before(async () => {
    api = await startApi()
    const parentId = (await findAgency(api.sql))!
    for (const referenceCode of ['ONE', 'TWO'])
      clients.push(await insertParty(api.sql, { referenceCode, name: referenceCode, parentId }))
    await api.sql`update party set country_code = 'SE', currency_code = 'SEK' where id = any(${clients})`
    for (const lastname of names) debtors.push(await makeDebtor(api, { lastname }))
    for (const [index, debtorGuid] of debtors.entries()) {
      // In turn: one case of the first client, two of it, one of each client, no case, one of the second.
      const cases = [[0], [0, 0], [0, 1], [], [1]][index % 5]!
      for (const client of cases) await openCase(debtorGuid, clients[client]!)
      if (cases.length === 0)
        await api.sql`update debtor set created_by_party_id = ${clients[0]!} where id = ${debtorGuid}`
    }
  })
  after(() => api.close())

  const openCase = (debtorGuid: string, clientGuid: string) =>
    registerCase(
      api.sql,
      agencyCaller,
      { debtorGuid, clientGuid, principal: 100, dueDate: '2026-05-01' },
      contextOn('2026-06-15'),
    )
  const context = { totals: new ListMemory(), today: '2026-06-15' }
  const list = async (caller: Caller, query: Record<string, string | number>) => {
    const { value, total } = await listDebtors(api.sql, caller, query, context)
    return {
      guids: value.map(({ debtorGuid }) => debtorGuid),
      names: value.map(({ fullName }) => fullName),
      total,
    }
  }
  /** A filter that excludes nothing. It makes the server sort the list instead. */
  const sorted = { $filter: "debtorReference ne 'nobody'" }

  for (const order of ['fullName', 'fullName desc'])
    test(`sorted by ${order}, each page equals that of the sorted list`, async () => {
      for (const [partyIds, total] of [
        [[clients[0]!], 10],
        [[clients[1]!], 4],
        [clients, 12],
      ] as const) {
        const caller = restrictedCaller(...partyIds)
        const whole = await list(caller, { ...sorted, $orderby: order, $top: 100 })
        assert.equal(whole.total, total)
        assert.deepEqual((await list(caller, { $orderby: order, $top: 100 })).guids, whole.guids)
        for (let skip = 0; skip <= total; skip++) {
          const page = await list(caller, { $orderby: order, $skip: skip, $top: 3 })
          assert.deepEqual(page.guids, whole.guids.slice(skip, skip + 3), `${order}, from ${skip}`)
          assert.equal(page.total, total)
        }
      }
    })

  for (const [$filter, $orderby] of [
    ["contains(fullName,'er')", 'fullName'],
    ["contains(fullName,'er')", 'fullName desc'],
    ["startswith(fullName,'B') or fullName eq 'Ek'", 'fullName'],
    ["startswith(fullName,'E') and juridicalType eq 0", 'fullName'],
    ["juridicalType eq 0 and not contains(fullName,'Z')", 'debtorReference desc'],
    [undefined, 'debtorReference'],
    [undefined, 'juridicalType desc,fullName'],
    [undefined, undefined],
  ] as const)
    test(`filtered by ${$filter} and sorted by ${$orderby}, it has the visible rows of the whole list`, async () => {
      const query = { ...($filter && { $filter }), ...($orderby && { $orderby }) }
      const whole = await list(agencyCaller, { ...query, $top: 100 })
      for (const partyIds of [[clients[0]!], [clients[1]!], clients]) {
        const caller = restrictedCaller(...partyIds)
        const visible = new Set((await list(caller, { ...sorted, $top: 100 })).guids)
        const expected = whole.guids.filter((guid) => visible.has(guid))
        // A page of one row is read along the order, a page of many by sorting all that match.
        for (const top of [1, 3, 100])
          for (let skip = 0; skip <= expected.length; skip++) {
            const page = await list(caller, { ...query, $skip: skip, $top: top })
            assert.deepEqual(page.guids, expected.slice(skip, skip + top), `${top} from ${skip}`)
            assert.equal(page.total, expected.length)
          }
      }
    })

  test('a renamed debtor appears under the new name', async () => {
    const [debtorGuid] = debtors
    const { status } = await api.call('PATCH', `/debtors/${debtorGuid}`, { body: { lastname: 'Öhrn' } })
    assert.equal(status, 200)
    const page = await list(restrictedCaller(clients[0]!), { $orderby: 'fullName desc', $top: 2 })
    assert.deepEqual(page.names, ['Öst', 'Öhrn'])
    assert.equal(page.guids[1], debtorGuid)
  })

  test('a case opened while its debtor is renamed gets the new name', async () => {
    const debtorGuid = debtors[1]!
    let opened: Promise<unknown>
    await api.sql.begin(async (tx) => {
      await tx`update debtor set full_name = 'Aaron' where id = ${debtorGuid}`
      opened = openCase(debtorGuid, clients[1]!)
      await untilWaiting(api)
    })
    await opened!
    const kept =
      await api.sql`select distinct full_name as name from case_debtor where debtor_id = ${debtorGuid}`
    assert.deepEqual([...kept], [{ name: 'Aaron' }])
  })
})
