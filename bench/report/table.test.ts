import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from '../drive/measure.ts'
import { formatResults, formatTable } from './table.ts'

const result: Result = {
  scenario: 'by-key',
  kind: 'read',
  connections: 16,
  product: { rate: 7500.4, p50: 1.5, p99: 6, errors: 0 },
  cpu: { server: 2.5, database: null },
  cpuPerAnswer: { server: 66.6, database: null },
  bare: { rate: 10_000, p50: 1, p99: 4, errors: 0 },
  pgbench: 20_000,
  bareCpuPerAnswer: { server: 50, database: 20 },
  ofBare: 0.75,
  ofBareCpu: null,
  ofPgbench: 0.375,
}
const lastLine = (text: string) => text.split('\n').at(-1)!.split(/ {2,}/)

test('a table aligns its first column to the left and the others to the right', () => {
  const table = formatTable(
    ['name', 'n'],
    [
      ['a', '100'],
      ['longer', '1'],
    ],
  )
  assert.equal(table, 'name      n\n------  ---\na       100\nlonger    1')
})

test('a result with the connections of the targets has marks, and a dash for what is unknown', () => {
  const cells = lastLine(formatResults([result]))
  assert.deepEqual(cells, [
    'by-key',
    '16',
    '7500',
    '1.50',
    '6.00',
    '4.0 ✓',
    '0 ✓',
    '2.50',
    '-',
    '67',
    '-',
    '10000',
    '75% ✓',
    '-',
    '20000',
    '38%',
  ])
})

test('what misses its target is marked so', () => {
  const missed: Result = {
    ...result,
    kind: 'filtered',
    ofBare: 0.69,
    ofPgbench: 0.59,
    product: { ...result.product, p99: 15, errors: 1 },
  }
  assert.equal(formatResults([missed]).match(/✗/g)?.length, 4)
})

test('writes need half of the bare route, and other numbers of connections have no marks', () => {
  assert.match(formatResults([{ ...result, kind: 'write', ofBare: 0.5 }]), /50% ✓/)
  assert.doesNotMatch(formatResults([{ ...result, connections: 64 }]), /[✓✗]/)
})
