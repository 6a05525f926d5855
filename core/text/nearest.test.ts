import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findNearest } from './nearest.ts'

const words = ['client', 'costs', 'cases', 'due', 'date', 'debtor']

test('a mistyped word leads to the nearest one, a strange one to none', () => {
  assert.equal(findNearest('clinet', words), 'client')
  assert.equal(findNearest('Client', words), 'client')
  assert.equal(findNearest('de', words), 'due')
  assert.equal(findNearest('debtors', words), 'debtor')
  assert.equal(findNearest('weather', words), null)
})
