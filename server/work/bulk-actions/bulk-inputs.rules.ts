/** Checks a request for a bulk action: the list has the action, the input is right, and the caller may do it. */
import { Type, type TSchema } from 'typebox'
import { bulkActions, type BulkActionInput } from '../../../contract/work/bulk-actions.ts'
import { CaseStatusInput, CloseCaseInput, HoldCaseInput } from '../../../contract/cases/case-inputs.ts'
import { LetterPreviewInput, sendLetter } from '../../../contract/collection/letters.ts'
import { assignStrategy } from '../../../contract/collection/strategies.ts'
import * as forms from '../../../contract/metadata/forms/cases.ts'
import { noteCreate } from '../../../contract/metadata/forms/system.ts'
import { NoteInput } from '../../../contract/parties/notes.ts'
import { PaymentPlanInput } from '../../../contract/plans/payment-plan-inputs.ts'
import { createPaymentPlan } from '../../../contract/plans/payment-plans.ts'
import type { Operation } from '../../../contract/platform/operation.ts'
import { AssignmentInput, assignWork, NextActionInput, setNextAction } from '../../../contract/work/work.ts'
import { requireAccess } from '../../access/serve/admit.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { FieldErrors, invalid } from '../../platform/http/errors.ts'
import { compileCheck, type Check } from '../../platform/http/validation.ts'

interface ActionInput {
  access: Pick<Operation, 'access' | 'roles'>
  input: TSchema
  required?: readonly string[]
}

const without = (schema: TSchema, names: readonly string[]): TSchema => {
  const { properties } = schema as unknown as { properties: Record<string, TSchema> }
  const kept = Object.entries(properties).filter(([name]) => !names.includes(name))
  return Type.Object(Object.fromEntries(kept), { additionalProperties: false })
}
const nothing = Type.Object({}, { additionalProperties: false })

const inputs: Record<string, ActionInput> = {
  hold: { access: forms.caseHold.submit, input: HoldCaseInput, required: ['reason'] },
  resume: { access: forms.caseResume.submit, input: nothing },
  status: {
    access: forms.caseStatus.submit,
    input: CaseStatusInput,
    required: ['status', 'subStatus'],
  },
  close: { access: forms.caseClose.submit, input: CloseCaseInput, required: ['closureCode'] },
  note: { access: noteCreate.submit, input: NoteInput, required: ['text'] },
  letter: { access: sendLetter, input: without(LetterPreviewInput, ['caseGuid']), required: ['kind'] },
  assign: { access: assignWork, input: without(AssignmentInput, ['caseGuids']) },
  nextaction: { access: setNextAction, input: NextActionInput },
  plan: {
    access: createPaymentPlan,
    input: without(PaymentPlanInput, ['active', 'cases', 'payments']),
    required: ['paymentPlanType'],
  },
  done: { access: assignWork, input: nothing },
  strategy: { access: assignStrategy, input: assignStrategy.body, required: [] },
}

const checks = new Map<string, Check>()
function checkInput(action: string, input: Record<string, unknown>): void {
  const check = checks.get(action) ?? compileCheck(inputs[action]!.input, 'input/')
  checks.set(action, check)
  check(input)
}

/** Throws a 400 or 403. Returns the input. */
export function requireBulkInput(caller: Caller, { list, action, input = {} }: BulkActionInput) {
  const known: readonly string[] = bulkActions[list]
  if (!known.includes(action))
    throw invalid({ action: [`must be one of ${known.join(', ')} for the list ${list}.`] })
  const { access, required = [] } = inputs[action]!
  requireAccess(access, caller)
  checkInput(action, input)
  const faults = new FieldErrors()
  for (const name of required) {
    const value = input[name]
    if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
      faults.add(`input/${name}`, 'is required.')
  }
  if (action === 'assign' && input['ownerGuid'] === undefined && input['teamGuid'] === undefined)
    faults.add('input/ownerGuid', 'is required, or teamGuid: choose a handler or a team.')
  if (action === 'strategy' && typeof input['strategy'] !== 'string')
    faults.add('input/strategy', 'is required. Send an empty text for no strategy.')
  faults.throwIfAny()
  return input
}
