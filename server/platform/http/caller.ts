import type { AccessCode, UserRole } from '../../../contract/access/access.ts'
import type { Language } from '../../../contract/platform/languages.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the request is admitted, and for addresses that are not operations. */
    caller: Caller | null
  }
}

/** The sender of a request, used by handlers, the audit trail and row restrictions. */
export interface Caller {
  userId: string
  sessionId: string
  partyId: string
  role: UserRole
  accessCodes: ReadonlySet<AccessCode>
  /** The token has a scope: the role itself then grants no access. */
  narrowed?: boolean
  /** The parties whose debtors the caller may see; null for all. */
  partyIds: readonly string[] | null
  /** The language of labels and descriptions in answers. */
  language: Language
  /** The user must enrol a second factor first, and may do nothing else. */
  mfaPending: boolean
  /** The name that the program gave itself, for a user's connected assistant. */
  assistant?: string
  /** The address of that program's metadata document, unless it registered. */
  assistantDocument?: string
}

/** What a write records besides its rows: the user, the request, the business date. */
export interface Origin {
  actorId: string | null
  requestId: string | null
  /** The operation's id or the command's name. */
  operation: string
  /** YYYY-MM-DD */
  businessDate: string
  /** A custom service does it, in the name of the actor. */
  isService?: true
}

/** The agency itself, without a user: sees everything, and has no access codes. */
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
