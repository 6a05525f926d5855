import type { AccessCode, UserRole } from '../../../contract/access/access.ts'
import type { Language } from '../../../contract/platform/languages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request is admitted, and for an address that is no operation's. */
    caller: Caller | null
  }
}

/** Who sends a request: known to every handler, to the audit trail and to the stores' restriction. */
export interface Caller {
  userId: string
  sessionId: string
  partyId: string
  role: UserRole
  accessCodes: ReadonlySet<AccessCode>
  /** The token was asked for with a scope: no access comes from the role itself. */
  narrowed?: boolean
  /**
   * The parties whose debtors the caller may see, or null for all of them.
   */
  partyIds: readonly string[] | null
  /** The language of labels and descriptions in answers to them. */
  language: Language
  /** The user has yet to enrol a second factor, and may do nothing else. */
  mfaPending: boolean
}

/** What a write leaves behind besides its rows: who did it, through which request, on which business date. */
export interface Origin {
  actorId: string | null
  requestId: string | null
  /** The operation's number or the command's name. */
  operation: string
  /** YYYY-MM-DD */
  businessDate: string
}

/** The agency itself, with nobody by name behind it: sees everything, and has no access code of its own. */
export const agencyItself: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 1,
  accessCodes: new Set(),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}
