import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LawPack } from './pack.ts'
import { findRule, lawPacks } from './packs.ts'
import { readPack } from './read-pack.ts'

const swedish = lawPacks.find(({ country }) => country === 'SE')!
type Rule = LawPack['rules'][number]
const due = swedish.rules.find(({ code }) => code === 'SE-DUE')!
const version = (from: string | null, to: string | null) => ({ ...due, from, to }) as Rule
const withRules = (...rules: object[]) => ({ ...swedish, rules: rules as Rule[] })

test('every shipped pack is whole, and calls nothing verified whose source nobody has read', () => {
  assert.deepEqual(
    lawPacks.map(({ country }) => country),
    ['SE', 'NO', 'DK', 'FI', 'DE', 'IS', 'EU'],
  )
  for (const { rules, sources } of lawPacks)
    for (const { code, status, source } of rules)
      assert.ok(status !== 'verified' || sources[source]!.seen !== null, code)
})

test('a pack with a gap, an overlap or a wrong member is refused, naming it', () => {
  const wrong: [unknown, RegExp][] = [
    [
      withRules(version(null, '2025-12-31'), version('2026-02-01', null)),
      /SE has no version of the rule SE-DUE from 2026-01-01: a gap/,
    ],
    [
      withRules(version(null, '2026-01-31'), version('2026-01-31', null)),
      /SE has two versions of the rule SE-DUE on 2026-01-31: an overlap/,
    ],
    [withRules(version(null, null), version('2026-01-01', null)), /overlap/],
    [withRules(version('2026-02-01', '2026-01-01')), /before it begins/],
    [withRules({ ...due, days: -1 }), /SE has a wrong days in the rule SE-DUE: -1/],
    [withRules({ ...due, wait: 1 }), /unknown wait/],
    [withRules({ ...due, subject: 'mood' }), /unknown subject mood/],
    [withRules({ ...due, code: 'NO-DUE' }), /another country: NO-DUE/],
    [withRules({ ...due, source: 'nowhere' }), /names no source nowhere/],
    [withRules({ ...due, status: 'verified' }), /calls the rule SE-DUE verified/],
    [
      { ...swedish, fees: [{ ...swedish.fees[0]!, source: 'practice', unverified: false }] },
      /calls the fee reminder verified, but nobody has read its source/,
    ],
    [{ ...swedish, fees: [{ ...swedish.fees[0]!, amount: 'much' }] }, /wrong amount in the fee reminder/],
    [
      { ...swedish, fees: [swedish.fees[0]!, { ...swedish.fees[0]!, from: '2020-01-01' }] },
      /two versions of the fee reminder/,
    ],
    [{}, /names its country/],
  ]
  for (const [pack, message] of wrong) assert.throws(() => readPack(pack), message)
  readPack(withRules(version(null, '2025-12-31'), version('2026-01-01', null)))
})

const points = (country: string, debtor: 'consumer' | 'business', date: string) =>
  findRule(country, 'margin', { date, debtor })?.points

test('a rule is found by country, debtor and day', () => {
  assert.deepEqual(
    [
      points('DE', 'business', '2014-07-28'),
      points('DE', 'business', '2014-07-29'),
      points('DE', 'consumer', '2026-01-01'),
      points('DK', 'consumer', '2013-02-28'),
      points('FR', 'consumer', '2026-01-01'),
    ],
    ['8', '9', '5', '7', undefined],
  )
  assert.equal(findRule('NO', 'contact', { date: '2026-06-01' }), undefined, 'a proposed rule never applies')
})
