import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAnswerDeadline, type AnswerQuestion } from './answer.ts'

const received = '2026-06-10'
const ask = (question: Partial<AnswerQuestion>) => {
  const { by, latest, rule } = findAnswerDeadline({
    country: 'SE',
    debtor: 'consumer',
    matter: 'OBJECTION',
    received,
    days: null,
    ...question,
  })
  return [by, latest, rule?.code ?? null]
}

test('where the law says "without delay", the days of the settings count, 14 where there are none', () => {
  assert.deepEqual(ask({}), ['2026-06-24', null, 'SE-ANSWER'])
  assert.deepEqual(ask({ days: 3 }), ['2026-06-13', null, 'SE-ANSWER'])
  assert.deepEqual(ask({ country: 'DE', days: 30 }), ['2026-07-10', null, 'DE-ANSWER'])
})

test('the days of the law are the most, and the settings may give fewer', () => {
  const complaint = { matter: 'COMPLAINT' } as const
  assert.deepEqual(ask({ ...complaint, days: 30 }), ['2026-06-24', '2026-06-24', 'SE-COMPLAINT-ANSWER'])
  assert.deepEqual(ask({ ...complaint, days: 5 }), ['2026-06-15', '2026-06-24', 'SE-COMPLAINT-ANSWER'])
})

test('a rule is for its matters and debtors only, and a bill does not apply', () => {
  assert.deepEqual(ask({ matter: 'HARDSHIP' }), ['2026-06-24', null, null])
  assert.deepEqual(ask({ matter: 'COMPLAINT', debtor: 'business', days: 30 }), ['2026-07-10', null, null])
  assert.deepEqual(ask({ country: 'NO' }), ['2026-06-24', null, 'NO-ANSWER'])
  assert.deepEqual(ask({ country: 'FR' }), ['2026-06-24', null, null])
  assert.deepEqual(ask({ country: null }), ['2026-06-24', null, null])
})
