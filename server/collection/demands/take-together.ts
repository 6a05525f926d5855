/** The cases of a unit on their way through a step: split off, judged as one, and kept as a demand group. */
import { makeGroupPaymentReference } from '../../claims/payment-reference.rules.ts'
import type { CaseRow } from '../../claims/case-lock.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { HeldStep, JointStep } from '../strategies/book-actions.ts'
import type { StepJudge, StepLaw } from '../strategies/step-law.ts'
import { insertGroups, findGroupReferences } from './demand-groups.store.ts'
import type { JointDemand, StepUnit } from './joint-steps.ts'

/**
 * A unit of the cases that may still take the step. What is apart goes by itself when it is due. Of a single
 * case left nothing is joint, and a step that is not due is not taken without one that is.
 */
export function splitUnit(unit: StepUnit, isApart: (caseGuid: string) => boolean): StepUnit[] {
  if (unit.joint === null) return unit.steps.length === 0 ? [] : [unit]
  const together = unit.steps.filter(({ due }) => !isApart(due.caseGuid))
  const alone = unit.steps.filter((step) => step.isDue && !together.includes(step))
  const rest = together.some(({ isDue }) => isDue) ? together : []
  const units = alone.map((step): StepUnit => ({ steps: [step], joint: null }))
  if (rest.length > 1) return [...units, { ...unit, steps: rest }]
  return [...units, ...rest.map((step): StepUnit => ({ steps: [step], joint: null }))]
}

/** A step of a case in a unit that is taken together, before its group is known. */
export type JudgedStep = Omit<HeldStep, 'joint'> & { joint: JudgedJoint | null }

interface JudgedJoint extends Omit<JointStep, 'groupGuid' | 'reference'> {
  demand: JointDemand
}

/** The law of the cases of a unit. Throws an ApiError when the law refuses them together. */
export function judgeUnit(
  { steps, joint }: StepUnit,
  { judge, byCase }: { judge: StepJudge; byCase: ReadonlyMap<string, CaseRow> },
): JudgedStep[] {
  const held = steps.map(({ due }) => ({ due, row: byCase.get(due.caseGuid)! }))
  if (joint === null || held.length < 2)
    return held.map((one) => ({ ...one, law: judge.judgeOne(one.due.caseGuid), joint: null }))
  const law = judge.judgeJointly(held, joint.bundling.isJointPrincipal)
  if (law.refused !== null) throw new ApiError('unprocessable', law.refused)
  const caseGuids = held.map(({ due }) => due.caseGuid)
  const free: StepLaw = { refused: null, fees: new Map(), leftOut: [] }
  return held.map((one, index) => ({
    ...one,
    law: index === 0 ? law : free,
    joint: { demand: joint, caseGuids, isBearing: index === 0, jointPrincipal: law.jointPrincipal },
  }))
}

/** Makes the groups of cases that are demanded together for the first time, and finds those of the others. */
export async function keepGroups(
  tx: Db,
  steps: readonly JudgedStep[],
  date: string,
): Promise<readonly HeldStep[]> {
  const bearing = steps.filter(({ joint }) => joint?.isBearing)
  if (bearing.length === 0) return steps.map((step) => ({ ...step, joint: null }))
  const known = bearing.flatMap(({ joint }) => joint!.demand.groupGuid ?? [])
  const groups = new Map<JointDemand, { groupGuid: string; reference: string }>()
  const references = await findGroupReferences(tx, known)
  const fresh = bearing.filter(({ joint }) => joint!.demand.groupGuid === null)
  const made = await insertGroups(
    tx,
    fresh.map(({ row, joint }) => ({
      clientGuid: row.clientGuid,
      debtorGuid: row.mainDebtorGuid,
      currencyCode: row.currencyCode,
      rule: joint!.demand.bundling.rule?.code ?? null,
      caseGuids: joint!.caseGuids,
    })),
    { date, makeReference: makeGroupPaymentReference },
  )
  for (const [index, { joint }] of fresh.entries()) groups.set(joint!.demand, made[index]!)
  for (const { joint } of bearing) {
    const { groupGuid } = joint!.demand
    if (groupGuid !== null) groups.set(joint!.demand, { groupGuid, reference: references.get(groupGuid)! })
  }
  return steps.map(({ joint, ...step }) => {
    if (joint === null) return { ...step, joint }
    const { demand, ...shared } = joint
    return { ...step, joint: { ...shared, ...groups.get(demand)! } }
  })
}
