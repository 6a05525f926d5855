import type { StepAction } from '../../../core/cases/strategies.ts'

/** An action in a line. */
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
  }
}
