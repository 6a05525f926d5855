import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { operations } from '../../../contract/api.ts'
import { servePages } from './pages.ts'

test('the served page lists every operation with the roles that may call it', async () => {
  const app = fastify()
  servePages(app, { version: '1.2.3' })
  const { body } = await app.inject({ url: '/docs/rules/operations-by-role' })
  await app.close()
  const rows = [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell!),
  )
  const byId = new Map(rows.map(([id, ...cells]) => [id!, cells]))
  for (const { id } of operations) assert.ok(byId.has(id), id)
  const findRoles = (id: string) =>
    byId
      .get(id)!
      .slice(2)
      .flatMap((cell, index) => (cell === '✓' ? [index + 1] : []))
  const everyRole = Array.from({ length: 14 }, (_, index) => index + 1)
  // Running commands is for system administrators; users are also read by roles 6 and 11; the current user is everybody's.
  assert.deepEqual(findRoles('S11'), [1, 2])
  assert.deepEqual(findRoles('U8'), [1, 2, 6, 11])
  assert.deepEqual(findRoles('U1'), everyRole)
  assert.match(byId.get('S4')![1]!, /form\.write, and a code of the form/)
})
