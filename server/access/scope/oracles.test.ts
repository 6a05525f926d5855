/**
 * Filters of lists and the search tell a restricted caller nothing that the rows do not show: neither that a record of
 * another client exists, nor a value that is hidden in a row of their own.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeClientWorld } from '../../testing/records/client-world.ts'
import type { ClientWorld } from '../../testing/records/form-requests.ts'

interface Page {
  total: number
  value: Record<string, unknown>[]
}

let api: TestApi
let own: ClientWorld
let foreign: ClientWorld
let token: string

before(async () => {
  api = await startApi()
  await api.setDate('2026-03-02')
  own = await makeClientWorld(api, 'VORONA')
  foreign = await makeClientWorld(api, 'KANARIE')
  const { clientGuid } = own.members
  // A debtor of both clients: what is owed to the other one does not show.
  const claim = { clientGuid, debtorGuid: foreign.members['debtorGuid'], principal: 77, currencyCode: 'SEK' }
  assert.equal((await api.call('POST', '/system/forms/case/register', { body: claim })).status, 201)
  token = await api.signIn(6, clientGuid)
})
after(() => api.close())

const lists: readonly Operation[] = operations.filter(
  ({ query }) => query && '$filter' in (query as { properties: object }).properties,
)
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const dateTime = /^\d{4}-\d\d-\d\dT/

const literal = (value: string | number | boolean, isText: boolean) =>
  typeof value === 'string' && (isText || !(guid.test(value) || dateTime.test(value)))
    ? `'${value.replaceAll("'", "''")}'`
    : String(value)

/** Each member with each of its values, as somebody sees them who is not restricted. */
function listValues(rows: Page['value']): [member: string, value: string | number | boolean][] {
  const found = rows.flatMap((row) => Object.entries(row)) as [string, string | number | boolean | null][]
  const scalar = found.filter(
    ([, value]) => value !== null && value !== '' && typeof value !== 'object' && !/\n/.test(String(value)),
  )
  return [...new Map(scalar.map((one) => [one.join(' '), one])).values()] as [string, string][]
}

/** Asks by each value, and tells where as many rows are not found as are shown with it. */
async function findOracles(path: string): Promise<{ asked: number; found: string[] }> {
  const get = (query: string, as: string) => api.call<Page>('GET', `${path}?$top=100${query}`, { token: as })
  const all = await get('', api.token)
  const shown = await get('', token)
  // A longer list does not show all of its rows: those of the law.
  if (shown.status !== 200 || shown.body.total > 100) return { asked: 0, found: [] }
  const found: string[] = []
  let asked = 0
  for (const [member, value] of listValues(all.body.value)) {
    const ask = (isText: boolean) =>
      get(`&$filter=${encodeURIComponent(`${member} eq ${literal(value, isText)}`)}`, token)
    let answer = await ask(false)
    if (answer.status === 400) answer = await ask(true)
    // Some members cannot be filtered.
    if (answer.status !== 200) continue
    asked += 1
    const visible = shown.body.value.filter((row) => row[member] === value).length
    if (answer.body.total !== visible)
      found.push(`${path} ${member} ${value}: ${answer.body.total} found, ${visible} shown`)
  }
  return { asked, found }
}

test('a filter finds as many rows as show its value, in every list, for each value of both clients', async () => {
  const found: string[] = []
  let asked = 0
  for (const world of [own, foreign])
    for (const operation of lists) {
      const path = operation.path.replace(/:(\w+)/g, (_, name: string) => world.members[name] ?? 'x')
      const oracles = await findOracles(path)
      asked += oracles.asked
      found.push(...oracles.found)
    }
  assert.deepEqual(found, [])
  assert.ok(asked > 1000, `${asked} asked`)
})

test('the search finds nothing of another client by any text of its records', async () => {
  const texts = Object.values(foreign.members).filter(
    (text) => !guid.test(text) && /KANARIE|^\d{5,}$/.test(text),
  )
  assert.ok(texts.length >= 3, texts.join(' '))
  // The debtor of both is the own client's too.
  const shared = new Set([foreign.members['debtorGuid'], foreign.members['debtorReference']])
  for (const text of texts) {
    const { body } = await api.call<{ items: { guid: string }[] }>('GET', `/search?q=${text}`, { token })
    const guids = body.items.map((item) => item.guid)
    assert.deepEqual(
      guids.filter((one) => Object.values(foreign.members).includes(one) && !shared.has(one)),
      [],
      text,
    )
  }
})

test('a version that is asked for says nothing about a record of another client', async () => {
  const { caseGuid, paymentplanGuid, documentGuid, clientGuid, debtorGuid } = foreign.members
  const paths = [
    `/debtors/${debtorGuid}/paymentplans/${paymentplanGuid}`,
    `/cases/${caseGuid}`,
    `/documents/${documentGuid}`,
    `/clients/${clientGuid}`,
  ]
  for (const path of paths)
    for (const name of ['if-match', 'if-none-match'])
      for (const value of ['"1"', '"999"', '*']) {
        const answer = await api.call('GET', path, { token, headers: { [name]: value } })
        assert.equal(answer.status, 404, `${path} ${name} ${value}: ${answer.status}`)
        assert.equal(answer.headers.get('etag'), null)
      }
})
