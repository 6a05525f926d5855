/** Rows that are asked for at the same time are read together: each answer must be what it is alone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Debtor } from '../../../contract/parties/debtors.ts'
import { agencyItself } from '../../platform/http/caller.ts'
import { visibleDebtors } from './debtors.scope.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { findRow } from '../../platform/database/find-row.ts'

let api: TestApi
let guids: string[]
before(async () => {
  api = await startApi()
  guids = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const body = { lastname: `Ek ${index}` }
      return (await api.call<Debtor>('POST', '/debtors', { body })).body.debtorGuid
    }),
  )
})
after(() => api.close())

const unknown = '01900000-0000-7000-8000-000000000000'
const source = {
  entity: 'debtor',
  from: 'debtor d',
  key: 'd.id',
  select:
    'd.id as "debtorGuid", d.full_name as "fullName", pg_current_snapshot()::text as snapshot, now() as time',
  keyMember: 'debtorGuid',
} as const
const find = (guid: string) =>
  findRow<{ debtorGuid: string; fullName: string; time: string }, 'debtor'>(
    api.sql,
    source,
    guid,
    visibleDebtors(agencyItself),
  )

test('each gets the row that was asked for, in an object of its own, or none', async () => {
  const asked = [guids[0]!, guids[1]!, unknown, guids[1]!, guids[2]!.toUpperCase(), guids[3]!]
  const rows = await Promise.all(asked.map(find))
  assert.deepEqual(
    rows.map((row) => row?.fullName),
    ['Ek 0', 'Ek 1', undefined, 'Ek 1', 'Ek 2', 'Ek 3'],
  )
  assert.notEqual(rows[1], rows[3])
  const times = new Set(rows.slice(1).flatMap((row) => (row ? [row.time] : [])))
  assert.equal(times.size, 1, 'All but the first are read by one statement.')
})

test('one that is not there is not found, also where it is the only one of its statement', async () => {
  for (const asked of [
    [guids[0]!, unknown],
    [unknown, guids[0]!],
    [unknown, unknown],
  ]) {
    const rows = await Promise.all(asked.map(find))
    assert.deepEqual(
      rows.map((row) => row?.debtorGuid),
      asked.map((guid) => (guid === unknown ? undefined : guid)),
    )
    const answers = await Promise.all(asked.map((guid) => api.call('GET', `/debtors/${guid}`)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      asked.map((guid) => (guid === unknown ? 404 : 200)),
    )
  }
})

test('a source without the member that it names is told of', async () => {
  const wrong = findRow(
    api.sql,
    { ...source, keyMember: 'caseGuid' },
    guids[0]!,
    visibleDebtors(agencyItself),
  )
  await assert.rejects(wrong, /have no caseGuid/)
})

test('over HTTP an answer is the same at once as alone, whoever else asks', async () => {
  const party = await api.addParty('OTHERS')
  const restricted = await api.signIn(6, party)
  const alone = await api.call<Debtor>('GET', `/debtors/${guids[0]}`)
  const answers = await Promise.all([
    ...guids.map((guid) => api.call<Debtor>('GET', `/debtors/${guid}`)),
    ...guids.map((guid) => api.call<Debtor>('GET', `/debtors/${guid}`, { token: restricted })),
    api.call<Debtor>('GET', `/debtors/${unknown}`),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...guids.map(() => 200), ...guids.map(() => 404), 404],
  )
  assert.equal(answers[0]!.text, alone.text)
  assert.equal(answers[0]!.headers.get('etag'), alone.headers.get('etag'))
  assert.deepEqual(
    answers.slice(0, guids.length).map(({ body }) => body.debtorGuid),
    guids,
  )
})
