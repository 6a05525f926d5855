import assert from 'node:assert/strict'
import { test } from 'node:test'
import { caseStatuses, changeStatus, type CaseLifecycle } from './case-lifecycle.ts'
import { feeTypes } from '../ledger/statutory-fees.ts'
import { shippedStrategies } from './strategies.ts'

const steps = shippedStrategies.flatMap((strategy) => strategy.steps)

test('each shipped step goes where a case may go, charges a fee that there is, and names its source', () => {
  assert.ok(steps.length >= 8)
  for (const { code, status, subStatus, actions, source } of steps) {
    assert.ok((caseStatuses[status].subStatuses as readonly string[]).includes(subStatus!), code)
    assert.ok(source, code)
    for (const action of actions) {
      if (action.kind === 'fee') assert.ok(feeTypes.includes(action.feeType), code)
      if (action.kind !== 'status') continue
      const life: CaseLifecycle = {
        place: { status, subStatus: subStatus! },
        hold: null,
        beforePlan: null,
        closureCode: null,
      }
      assert.ok(changeStatus(life, action.status, action.subStatus).ok, code)
    }
  }
})

const listDueDays = (letter: string) =>
  steps.flatMap(({ actions }) =>
    actions.flatMap((one) => (one.kind === 'letter' && one.letter === letter ? [one.dueDays ?? 0] : [])),
  )

test('a letter that asks for payment leaves fourteen days, and what follows comes after them', () => {
  for (const letter of ['reminder', 'demand', 'legal'])
    assert.ok(
      listDueDays(letter).every((days) => days >= 14),
      letter,
    )
  for (const code of ['DEMAND-AFTER-REMINDER', 'DEMAND-EXPIRED'])
    assert.ok(steps.find((step) => step.code === code)!.afterDays > 14, code)
})
