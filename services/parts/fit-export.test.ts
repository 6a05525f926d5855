import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitExport, type DebtorExport } from './fit-export.ts'

const text = (length: number) => 'x'.repeat(length)
const makeCase = (caseGuid: string) => ({
  caseGuid,
  movements: text(100),
  explanation: text(1000),
  transactions: text(500),
  changes: text(400),
})
const whole = (): DebtorExport => ({
  debtor: { fullName: 'Yan Yansson' },
  paymentPlans: [{ numberOfPayments: 3, changes: text(300) }],
  changes: text(300),
  cases: ['a', 'b', 'c'].map(makeCase),
  leftOut: [],
})
const measureLength = (value: unknown) => JSON.stringify(value).length
const listParts = (fitted: DebtorExport | undefined) => fitted?.leftOut.map(({ part }) => part)

test('what has room stays as it is', () => {
  const all = whole()
  assert.equal(fitExport(all, measureLength(all)), all)
})

const steps = ['cases.explanation', 'cases.transactions', 'cases.changes', 'changes, paymentPlans.changes']

test('what follows from the rest goes first, then the history, and each is named', () => {
  for (const [lengthMax, count] of [
    [7000, 0],
    [5000, 1],
    [3500, 2],
    [2200, 3],
    [1300, 4],
  ] as const) {
    const fitted = fitExport(whole(), lengthMax)
    assert.deepEqual(listParts(fitted), steps.slice(0, count), `in ${lengthMax}`)
    assert.ok(measureLength(fitted) <= lengthMax)
    assert.deepEqual(
      fitted!.cases.map(({ caseGuid, movements }) => [caseGuid, movements]),
      ['a', 'b', 'c'].map((guid) => [guid, text(100)]),
    )
    for (const { why } of fitted!.leftOut) assert.match(why, new RegExp(`more than ${lengthMax} `))
  }
})

test('cases for which there is no room are named, to be asked for by themselves', () => {
  const fitted = fitExport(whole(), 1000)!
  assert.ok(measureLength(fitted) <= 1000)
  const last = fitted.leftOut.at(-1)!
  assert.equal(last.part, 'cases')
  const there = fitted.cases.map(({ caseGuid }) => caseGuid)
  assert.ok(there.length > 0 && there.length < 3)
  assert.deepEqual([...there, ...last.caseGuids!], ['a', 'b', 'c'])
})

test('nothing is returned where not even one case has room', () => {
  assert.equal(fitExport(whole(), 200), undefined)
})

test('a kind that is not there is not said to be left out', () => {
  const { changes: _changes, paymentPlans: _plans, ...rest } = whole()
  const cases = ['a', 'b'].map((caseGuid) => ({ caseGuid, transactions: text(500) }))
  assert.deepEqual(listParts(fitExport({ ...rest, cases }, 800)), ['cases.transactions'])
})
