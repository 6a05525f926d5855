/** Which claims are demanded together, and what the law asks of them as one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepAction } from '../cases/strategies.ts'
import { findBundling, isBundled, joinLegalCases, listBundlingCountries, mayBeBundled } from './bundling.ts'
import { lawPacks } from './packs.ts'
import type { LegalCase } from './legal-case.ts'
import { readPack } from './read-pack.ts'

const asked = { date: '2026-03-02', debtor: 'consumer' as const }
const letter = (kind: 'demand' | 'surveillance'): StepAction[] => [
  { kind: 'letter', letter: kind, dueDays: 14 },
]

test('the law decides, then the client; without both claims are demanded one by one', () => {
  const rows: [string | null, boolean | null, string | null | undefined][] = [
    ['NO', null, 'NO-TOGETHER'],
    ['NO', false, 'NO-TOGETHER'],
    ['SE', null, 'SE-TOGETHER'],
    ['SE', false, undefined],
    ['DK', null, undefined],
    ['DK', true, null],
    ['FI', false, undefined],
    [null, true, null],
    [null, null, undefined],
  ]
  for (const [country, wish, rule] of rows) {
    const found = findBundling(country, { ...asked, wish })
    const code = found === null ? undefined : (found.rule?.code ?? null)
    assert.equal(code, rule, `${country} ${wish}`)
  }
  assert.equal(findBundling('NO', { ...asked, wish: null })!.isJointPrincipal, true)
  assert.equal(findBundling('DK', { ...asked, wish: true })!.isJointPrincipal, false)
})

test('the countries that are named to the database are those whose rule is for every debtor', () => {
  assert.deepEqual(listBundlingCountries('2026-03-02'), { always: ['NO'], unlessRefused: ['SE'] })
  for (const { rules } of lawPacks)
    for (const rule of rules)
      if (rule.subject === 'bundling') assert.ok((rule.debtor ?? 'all') === 'all', rule.code)
})

test('only letters and fees that the rule names are for several claims', () => {
  const bundling = findBundling('NO', { ...asked, wish: null })!
  assert.equal(isBundled(bundling, letter('demand')), true)
  assert.equal(isBundled(bundling, letter('surveillance')), true)
  assert.equal(isBundled(bundling, [{ kind: 'fee', feeType: 'courtCost' }]), false)
  assert.equal(mayBeBundled([{ kind: 'fee', feeType: 'courtCost' }]), false)
  assert.equal(mayBeBundled([{ kind: 'fee', feeType: 'collectionFee' }]), true)
})

const claim: LegalCase = {
  country: 'NO',
  debtor: 'consumer',
  currency: 'NOK',
  principal: 60_000n,
  dueDate: '2026-02-01',
  circumstances: [],
  isEnforceable: false,
  hasGuardian: false,
  reminderFeeAgreed: false,
  noticeDeadline: '2026-02-20',
  fees: [{ id: 'shared', type: 'collectionFee', amount: 30_000n, date: '2026-03-02' }],
  letters: [{ id: 'shared', kind: 'demand', date: '2026-03-02', due: '2026-03-16' }],
}

test('joined claims count a shared fee and letter once, the latest days, and the sum of principals', () => {
  const other: LegalCase = {
    ...claim,
    principal: 70_000n,
    dueDate: '2026-02-10',
    noticeDeadline: null,
    reminderFeeAgreed: true,
    fees: [...claim.fees, { id: 'own', type: 'reminder', amount: 3_800n, date: '2026-02-28' }],
  }
  const joint = joinLegalCases(claim, [other], true)
  assert.deepEqual(
    [joint.jointPrincipal, joint.principal, joint.dueDate, joint.noticeDeadline, joint.reminderFeeAgreed],
    [130_000n, 60_000n, '2026-02-10', '2026-02-20', false],
  )
  assert.deepEqual(
    joint.fees.map(({ id }) => id),
    ['shared', 'own'],
  )
  assert.equal(joint.letters.length, 1)
  assert.equal(joinLegalCases(claim, [other], false).jointPrincipal, undefined)
})

test('a pack with a wrong member in a bundling rule is refused at the start', () => {
  const pack = structuredClone(lawPacks.find(({ country }) => country === 'NO')!)
  const rule = pack.rules.find(({ subject }) => subject === 'bundling')! as { principal: string }
  rule.principal = 'all'
  assert.throws(() => readPack(pack), /wrong principal in the rule NO-TOGETHER/)
})
