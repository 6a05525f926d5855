import { allAccessCodes } from '../../../contract/access/access.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { DueStep } from './strategies.store.ts'

/** Nobody in particular, of the agency: a strategy asks for nothing but what its steps say. */
export const strategist: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 1,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}

/** What events and audit entries name as the request. */
export const operationOf = ({ strategy, step }: DueStep) => `strategy ${strategy}/${step}`
