import type { StepAction } from '../../../core/cases/strategies.ts'

/** A one-line description of an action. */
export function describeAction(action: StepAction): string {
  switch (action.kind) {
    case 'fee':
      return `fee ${action.feeType}`
    case 'status':
      return `status ${action.status} ${action.subStatus}`
    case 'letter':
      return `letter ${action.letter}`
    case 'service':
      return `service ${action.service}`
    case 'task':
      return `task ${action.task}`
  }
}
