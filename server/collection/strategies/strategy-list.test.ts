/** Listing strategies, and assigning them to clients. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApi, type TestApi } from '../../testing/api.ts'
import { assignStrategy, loadShippedStrategies } from './strategies.store.ts'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.close())

test('strategies are listed with steps and sources, and can be assigned to a client (listStrategies, assignStrategy)', async () => {
  const { body } = await api.call<StrategyPage>('GET', '/strategies')
  const nordic = body.value.find(({ code }) => code === 'NORDIC')!
  assert.equal(nordic.unverified, true)
  assert.deepEqual([nordic.steps[0]!.code, nordic.steps[0]!.afterDays], ['NOTICE-NO', 0])
  const client = await api.addParty('CLIENT')
  await assignStrategy(api.sql, client, 'NORDIC')
  const put = (strategy: unknown, token = api.token) =>
    api.call<{ errors: object }>('PUT', `/clients/${client}/strategy`, { body: { strategy }, token })
  const readOwnStrategy = async () =>
    (await api.sql`select strategy_id from party where id = ${client}`)[0]!['strategy_id'] as unknown
  assert.equal((await put('')).status, 200)
  assert.equal(await readOwnStrategy(), null)
  assert.equal((await put('NORDIC')).status, 200)
  assert.notEqual(await readOwnStrategy(), null)
  const entries = await api.sql`
    select changes from audit_entry where action = 'strategy_assigned' and subject = ${client} order by position`
  assert.deepEqual(
    entries.map(({ changes }) => changes as unknown),
    [{ strategy: ['NORDIC', null] }, { strategy: [null, 'NORDIC'] }],
  )
  const creditor = await api.signIn(7, await api.addParty('COUNTS-NOTHING'))
  for (const path of ['/strategies', `/strategies/${nordic.strategyGuid}`]) {
    const answer = await api.call<Partial<StrategyPage> & Listed>('GET', path, { token: creditor })
    const found = answer.body.value?.find(({ code }) => code === 'NORDIC') ?? answer.body
    assert.equal(found.clients, 0, `${path}: others’ clients are not counted`)
  }
  const unknown = await put('NO-SUCH')
  assert.equal(unknown.status, 400)
  assert.deepEqual(Object.keys(unknown.body.errors), ['strategy'])
  assert.equal((await put(null)).status, 400)
  assert.equal((await put('NORDIC', await api.signIn(5))).status, 403)
})

interface Listed {
  strategyGuid: string
  code: string
  unverified: boolean
  clients: number
  steps: { code: string; afterDays: number }[]
}
interface StrategyPage {
  value: Listed[]
}

test('shipped strategies are loaded once, and later changes to them are kept', async () => {
  await api.sql`update strategy set name = 'Ours' where code = 'NORDIC'`
  await loadShippedStrategies(api.sql)
  const rows = await api.sql`select name from strategy where code = 'NORDIC'`
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Ours'],
  )
})
