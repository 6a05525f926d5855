import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLost, judge } from './judge.ts'

const reading = (kind: string, blocks: number, counted = 0, path = `/${kind}`) => ({
  kind,
  path,
  blocks,
  counted,
})

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

test('a large request is large by its total, its order or its filter', () => {
  const readings = [
    reading('list by city asc', 90),
    reading('list by phone desc', 20_000, 3, '/list?$orderby=phone desc'),
    reading('list phone eq', 40_000, 20_000, '/list?$filter=phone eq 1&$orderby=phone'),
    reading('list name eq', 20_000, 19_990, '/list?$filter=name eq 1&$orderby=city'),
    reading('list rare eq', 9_000, 10, '/list?$filter=rare eq 1&$orderby=city'),
  ]
  assert.deepEqual(
    judge(readings, readings).map(({ causes }) => causes),
    [[], ['order'], ['total', 'order'], ['total'], ['filter']],
  )
})

test('a kind that was steady and is not is named', () => {
  const judged = judge(
    [reading('by name', 20), reading('by phone', 2_000)],
    [reading('by name', 2_000), reading('by phone', 20_000)],
  )
  assert.deepEqual(
    findLost(judged, new Set(['by name', 'by day'])).map(({ kind }) => kind),
    ['by name'],
  )
})
