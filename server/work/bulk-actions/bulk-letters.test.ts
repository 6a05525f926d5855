/** Letters on many cases over HTTP: foreseen, sent after ten minutes, and withdrawn until one has left. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BulkLetters } from '../../../contract/work/bulk-letters.ts'
import { sendMessages } from '../../platform/messages/send.ts'
import type { TestApi } from '../../testing/api.ts'
import { assertProblem } from '../../testing/problem.ts'
import { BulkCases, countRows } from '../../testing/records/bulk-cases.ts'

let bulk: BulkCases
let api: TestApi
before(async () => {
  bulk = await BulkCases.start()
  api = bulk.api
})
after(() => bulk.close())

const post = () => Promise.resolve()

test('letters leave ten minutes after the run, all or none are withdrawn, and none once one has left', async () => {
  const { filter } = await bulk.openNamed(3)
  const letter = { action: 'letter', input: { kind: 'statement', channel: 'letter' }, filter, expected: 3 }
  const first = await bulk.run(letter)
  assert.deepEqual(countRows(first), ['completed', 3, 0, 3, 0, 0])
  const waits = await api.sql<{ seconds: number }[]>`
    select extract(epoch from m.next_try_at - b.letters_leave_at)::float8 as seconds
    from bulk_action b join bulk_action_row r on r.action_id = b.id
      join message m on m.document_id = (r.undo #>> '{params,documentGuid}')::uuid where b.id = ${first.bulkActionGuid}`
  assert.deepEqual(
    waits.map(({ seconds }) => seconds),
    [0, 0, 0],
  )
  const [soon] = await api.sql<{ minutes: number }[]>`
    select round(extract(epoch from letters_leave_at - ended_at) / 60)::int as minutes
    from bulk_action b join job_run j on j.id = b.job_id where b.id = ${first.bulkActionGuid}`
  assert.equal(soon!.minutes, 10)
  assert.deepEqual(countRows(await bulk.undo(first.bulkActionGuid)), ['completed', 3, 0, 0, 0, 3])
  const second = await bulk.run(letter)
  await api.sql`
    update message set next_try_at = now() where id = (select m.id from bulk_action_row r
      join message m on m.document_id = (r.undo #>> '{params,documentGuid}')::uuid
      where r.action_id = ${second.bulkActionGuid} limit 1)`
  await sendMessages(api.sql, { email: post, sms: post, letter: post }, () => {})
  assert.equal((await bulk.read(second.bulkActionGuid)).undoable, 0)
  const refused = await api.call<{ left: number }>('POST', `/bulkactions/${second.bulkActionGuid}/undo`)
  assertProblem(refused, 'conflict', /1 of its letters may have left/)
  assert.equal(refused.body.left, 1)
})
test('letters are foreseen by number, debtors and reasons; claims that are demanded together get one, withdrawn once (foreseeBulkLetters)', async () => {
  const { caseGuids, filter } = await bulk.openNamed(3)
  const [first, , closed] = caseGuids as [string, string, string]
  const { mainDebtorGuid: debtorGuid } = (
    await api.call<{ mainDebtorGuid: string }>('GET', `/cases/${first}`)
  ).body
  const { caseGuid: joined } = await bulk.at.register({ dueDate: '2026-05-15', debtorGuid })
  await api.call('PATCH', `/system/forms/case/close?id=${closed}`, {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  const letter = { kind: 'reminder', channel: 'letter', dueDate: '2026-07-15T00:00:00Z' }
  const foresee = async (which: object) => {
    const answer = await api.call<BulkLetters>('POST', '/bulkactions/letters/preview', {
      body: { ...letter, ...which },
    })
    assert.equal(answer.status, 200, answer.text)
    const { cases, examined, letters, debtors, together, refused } = answer.body
    return { counts: [cases, examined, letters, debtors], together, refused }
  }
  const all = await foresee({ filter })
  assert.deepEqual([all.counts, all.together], [[4, 4, 2, 2], [joined]])
  assert.equal(all.refused.length, 1)
  assert.equal(all.refused[0]!.cases, 1)
  assert.match(all.refused[0]!.reason, /closed/)
  const chosen = await foresee({ caseGuids: [joined, closed] })
  assert.deepEqual([chosen.counts, chosen.together, chosen.refused[0]!.cases], [[2, 2, 1, 1], [], 1])
  const countLetters = async () => {
    const [row] = await api.sql<{ count: number }[]>`
      select count(*)::int as count from document d join debt_case c on c.id = d.case_id
      where c.main_debtor_id = ${debtorGuid}`
    return row!.count
  }
  assert.equal(await countLetters(), 0, 'nothing is stored before')
  const ended = await bulk.run({ action: 'letter', input: letter, filter, expected: 4 })
  assert.deepEqual(countRows(ended), ['completed', 4, 0, 3, 1, 0])
  assert.equal(await countLetters(), 1)
  assert.deepEqual(countRows(await bulk.undo(ended.bulkActionGuid)), ['completed', 4, 0, 0, 1, 3])
  assert.equal(await countLetters(), 0)
  const wrong = await api.call('POST', '/bulkactions/letters/preview', { body: { ...letter, filter: 'no' } })
  assertProblem(wrong, 'invalid', /./)
  const forbidden = await api.call('POST', '/bulkactions/letters/preview', {
    body: letter,
    token: await api.signIn(5),
  })
  assertProblem(forbidden, 'forbidden', /write/)
})
