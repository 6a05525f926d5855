import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareMember, type ChangeLine } from './change-lines.ts'

const short = ({ path, before, after }: ChangeLine) => [
  path.map((part) => ('member' in part ? part.member : `«${part.element}»`)).join(' '),
  before,
  after,
]

const step = (code: string, afterDays: number, letter: string) => ({
  code,
  afterDays,
  actions: [{ kind: 'letter', letter }],
})

test('a plain value is one line, an equal one is none', () => {
  assert.deepEqual(compareMember('name', 'A', 'B').map(short), [['name', 'A', 'B']])
  assert.deepEqual(compareMember('tiles', ['kept'], ['kept']), [])
  assert.deepEqual(compareMember('name', undefined, null), [])
})

test('of a list of codes the added, the removed and another order are told', () => {
  const lines = compareMember('tiles', ['kept', 'costs', 'inTime'], ['inTime', 'kept', 'collected'])
  assert.deepEqual(lines.map(short), [
    ['tiles', 'costs', undefined],
    ['tiles', undefined, 'collected'],
    ['tiles', ['kept', 'inTime'], ['inTime', 'kept']],
  ])
  assert.deepEqual(
    lines.map(({ isOrder }) => isOrder),
    [undefined, undefined, true],
  )
})

test('elements are compared by what identifies them, part by part', () => {
  const before = [step('FIRST', 0, 'reminder'), step('SECOND', 14, 'demand')]
  const after = [step('FIRST', 3, 'notice'), step('THIRD', 30, 'demand')]
  assert.deepEqual(compareMember('steps', before, after).map(short), [
    ['steps «SECOND»', before[1], undefined],
    ['steps «THIRD»', undefined, after[1]],
    ['steps «FIRST» afterDays', 0, 3],
    ['steps «FIRST» actions «1» letter', 'reminder', 'notice'],
  ])
})

test('a tree that replaces nothing or another kind of value is one line', () => {
  assert.deepEqual(compareMember('terms', null, { kind: 'none' }).map(short), [
    ['terms', null, { kind: 'none' }],
  ])
  assert.deepEqual(compareMember('terms', { rate: '8' }, { rate: '9' }).map(short), [
    ['terms rate', '8', '9'],
  ])
})
