import { allAccessCodes } from '../../../contract/access/access.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { DueStep } from './due-steps.store.ts'

/** The caller for strategy steps: the agency itself, without rights beyond the steps' own actions. */
export const strategyCaller: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 1,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}

/** The operation name in events and audit entries. */
export const stepOperation = ({ strategy, step }: DueStep) => `strategy ${strategy}/${step}`
