/** A page and its total agree, whatever is written between the statements that read them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Debtor, DebtorListItem } from '../../../../contract/parties/debtors.ts'
import { startApi, type TestApi } from '../../../testing/api.ts'
import type { Page } from '../list.ts'

let api: TestApi
before(async () => (api = await startApi()))
after(() => api.close())

/** Runs `write` once, after the next statement for a list has answered. */
function writeAfterStatement(write: () => Promise<unknown>): void {
  const pool = api.app.service.totals.pool!
  const { unsafe } = pool
  pool.unsafe = ((...statement: Parameters<typeof unsafe>) => {
    pool.unsafe = unsafe
    return unsafe(...statement).then(async (rows) => {
      await write()
      return rows
    })
  }) as typeof unsafe
}

async function createDebtor(domicile: string): Promise<string> {
  const { status, body, text } = await api.call<Debtor>('POST', '/debtors', {
    body: { lastname: 'Ek', domicile },
  })
  assert.equal(status, 201, text)
  return body.debtorGuid
}

async function moveDebtor(guid: string, domicile: string): Promise<void> {
  const { status, text } = await api.call('PATCH', `/debtors/${guid}`, { body: { domicile } })
  assert.equal(status, 200, text)
}

async function listDomicile(domicile: string): Promise<Page<DebtorListItem>> {
  const query = new URLSearchParams({ $filter: `domicile eq '${domicile}'`, $top: '10' })
  const { status, body, text } = await api.call<Page<DebtorListItem>>('GET', `/debtors?${query.toString()}`)
  assert.equal(status, 200, text)
  return body
}

test('the only match goes away after it was counted', async () => {
  const guid = await createDebtor('Arboga')
  writeAfterStatement(() => moveDebtor(guid, 'Borås'))
  const page = await listDomicile('Arboga')
  assert.deepEqual([page.count, page.total], [0, 0])
  assert.deepEqual((await listDomicile('Borås')).total, 1)
})

test('the first match comes after an empty page was read by a remembered total', async () => {
  assert.equal((await listDomicile('Eksjö')).total, 0)
  writeAfterStatement(() => createDebtor('Eksjö'))
  const page = await listDomicile('Eksjö')
  assert.equal(page.total, page.value.length)
  assert.equal((await listDomicile('Eksjö')).total, 1)
})

test('one of several goes away after they were counted', async () => {
  const [guid] = await Promise.all([1, 2, 3].map(() => createDebtor('Falun')))
  writeAfterStatement(() => moveDebtor(guid!, 'Gävle'))
  const page = await listDomicile('Falun')
  assert.deepEqual([page.count, page.total], [2, 2])
})
