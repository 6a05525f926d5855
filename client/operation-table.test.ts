import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { operations as general } from '../contract/api.ts'
import { formOperationList } from '../contract/metadata/form-operations.ts'
import { takesIdempotencyKey } from '../contract/platform/operation-rules.ts'
import type { Operation } from '../contract/platform/operation.ts'

const operations = [...general, ...formOperationList]
const file = new URL('operation-table.ts', import.meta.url)

const tableMark = { 'application/x-www-form-urlencoded': 'form', 'application/octet-stream': 'file' } as const

const tableLine = (operation: Operation) => {
  const marks = [
    ...(operation.bodyType === undefined ? [] : [tableMark[operation.bodyType]]),
    ...(takesIdempotencyKey(operation) ? ['keyed'] : []),
    ...(operation.access === 'public' ? ['public'] : []),
  ]
  return `  ${operation.name}: '${[operation.method, operation.path, ...marks].join(' ')}',\n`
}

test('the table matches every operation of the contract', () => {
  const lines = operations.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(tableLine)
  const text = `/**
 * Of every operation its method, path and marks: all of the contract that the client needs while it runs. Written by
 * \`FORDRA_UPDATE=1 node --test client/operation-table.test.ts\`.
 */
export const operationTable = {
${lines.join('')}}
`
  if (process.env['FORDRA_UPDATE']) writeFileSync(file, text)
  assert.equal(readFileSync(file, 'utf8'), text)
})

test('no parameter name is used twice', () => {
  const names = operations.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  const taken = new Set(['withAnswer', 'dryRun', 'pages', 'each', 'addressOf', 'tokens'])
  assert.deepEqual(
    names.filter((name) => taken.has(name)),
    [],
  )
  for (const { name, path, query } of operations) {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, member]) => member!)
    const inQuery = Object.keys((query as { properties?: object } | undefined)?.properties ?? {})
    const members = [...inPath, ...inQuery, 'body']
    assert.equal(new Set(members).size, members.length, `${name} has one member in two places`)
  }
})
