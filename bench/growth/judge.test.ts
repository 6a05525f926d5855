import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from './judge.ts'

const reading = (kind: string, blocks: number) => ({ kind, path: `/${kind}`, blocks })

test('what reads ten times as much on ten times the rows is not steady', () => {
  const smaller = [
    reading('scan', 2_400),
    reading('index', 30),
    reading('sorted', 60),
    reading('always large', 1_500),
  ]
  const larger = [
    reading('scan', 24_000),
    reading('index', 40),
    reading('sorted', 600),
    reading('always large', 1_500),
  ]
  assert.deepEqual(
    judge(smaller, larger).map(({ kind, verdict }) => [kind, verdict]),
    [
      ['scan', 'large'],
      ['index', 'steady'],
      ['sorted', 'grows'],
      ['always large', 'large'],
    ],
  )
})

test('a kind that was drawn on one size only is left out', () => {
  assert.deepEqual(judge([reading('one', 1)], [reading('other', 1)]), [])
})
