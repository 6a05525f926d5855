/** Every query parameter and header of every operation, with values that no client means: never a server error. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operations } from '../../../contract/api.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { startApi, type TestApi } from '../../testing/api.ts'

let api: TestApi
let debtorGuid: string
before(async () => {
  api = await startApi()
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', { body: { lastname: 'Berg' } })
  debtorGuid = made.body.debtorGuid
})
after(() => api.close())

const values = [
  '%00',
  'a%00b',
  '%EF%BF%BF',
  '9'.repeat(400),
  '-1',
  '1e308',
  'x'.repeat(4_000),
  '%F0%9F%98%80',
  '',
]
const headers: Record<string, string>[] = [
  { 'idempotency-key': 'x'.repeat(255) },
  { 'if-match': '"99999999999999999999"' },
  { 'if-match': '*, "1", W/"x"' },
  { 'accept-language': 'x'.repeat(4_000) },
  { 'cache-control': 'max-stale=99999999999999999999' },
  { 'content-encoding': 'gzip' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/octet-stream' },
  { traceparent: '00-x' },
]

test('wrong values in the query of every operation', async () => {
  for (const operation of operations as readonly Operation[]) {
    const names = Object.keys((operation.query as { properties?: object } | undefined)?.properties ?? {})
    const required = ((operation.query as { required?: string[] } | undefined)?.required ?? []).map(
      (name) => `${name}=${name === 'what' ? 'debtors' : 'a'}`,
    )
    for (const name of names.filter((one) => one !== 'wait')) {
      const rest = required.filter((pair) => !pair.startsWith(`${name}=`))
      for (const value of values) await send(operation, [...rest, `${name}=${value}`].join('&'), {})
    }
  }
})

test('wrong headers at every operation', async () => {
  for (const operation of operations as readonly Operation[])
    for (const given of headers) await send(operation, '', given)
})

async function send(operation: Operation, query: string, given: Record<string, string>): Promise<void> {
  if (operation.id === 'logout') return
  const path = operation.path.replace(/:(\w+)/g, (_, name) => (name === 'name' ? 'x' : debtorGuid))
  const isFile = operation.bodyType === 'application/octet-stream'
  const type = isFile ? 'application/octet-stream' : 'application/json'
  const answer = await api.call(operation.method, `${path}?${query}`, {
    headers: { ...(operation.method !== 'GET' && { 'content-type': type }), ...given },
    ...(operation.method !== 'GET' && { raw: isFile ? 'x' : '{}' }),
  })
  assert.ok(
    answer.status < 500,
    `${operation.id} ?${query.slice(0, 60)} ${JSON.stringify(given)}: ${answer.text}`,
  )
}
