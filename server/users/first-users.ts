/** Who can sign in to an installation that has just been made. */
import { randomBytes } from 'node:crypto'
import type { Sql } from 'postgres'
import type { UserRole } from '../../contract/access.ts'
import type { Settings } from '../config.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Origin } from '../http/caller.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { findAgency, hasUsers, insertParty, insertUser } from './users.store.ts'

/** A login with its password in clear, to be shown once on the terminal. */
export interface FirstLogin {
  role: string
  login: string
  password: string
}

const demoUsers: readonly {
  role: string
  userRole: UserRole
  login: string
  fullName: string
  password: string
}[] = [
  {
    role: 'administrator',
    userRole: 2,
    login: 'admin@demo.example',
    fullName: 'Demo Administrator',
    password: 'demo-administrator',
  },
  {
    role: 'case handler',
    userRole: 3,
    login: 'handler@demo.example',
    fullName: 'Demo Handler',
    password: 'demo-case-handler',
  },
  {
    role: 'reader',
    userRole: 5,
    login: 'reader@demo.example',
    fullName: 'Demo Reader',
    password: 'demo-only-reading',
  },
  {
    role: 'field collector',
    userRole: 14,
    login: 'collector@demo.example',
    fullName: 'Demo Collector',
    password: 'demo-field-collector',
  },
]

/** The demo logins, whose passwords are known to everyone. */
export const demoLogins: readonly FirstLogin[] = demoUsers.map(({ role, login, password }) => ({
  role,
  login,
  password,
}))

const lock = 7_240_002

/**
 * On a database without users: makes the agency and the first administrator (and the demo users in demo mode). Several
 * nodes may start at once; one of them does it. Returns the logins whose passwords nobody knows yet.
 */
export async function ensureFirstUsers(
  sql: Sql,
  settings: Settings,
  businessDate: string,
): Promise<FirstLogin[]> {
  const origin: Origin = { actorId: null, requestId: null, operation: 'start', businessDate }
  return inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${lock})`
    if (await hasUsers(tx)) return []
    const name = settings.FORDRA_COMPANY ?? (settings.FORDRA_DEMO === 1 ? 'Demo Inkasso' : 'Agency')
    const partyId =
      (await findAgency(tx)) ?? (await insertParty(tx, { referenceCode: 'AGENCY', name, parentId: null }))
    if (settings.FORDRA_DEMO === 1) {
      for (const user of demoUsers) {
        const passwordHash = await hashPassword(user.password)
        const { userRole, fullName, login } = user
        await insertUser(
          tx,
          { partyId, userCode: login.split('@')[0]!, email: login, fullName, passwordHash, userRole },
          origin,
        )
      }
      if (settings.FORDRA_ADMIN_EMAIL === undefined) return []
    }
    const login = settings.FORDRA_ADMIN_EMAIL ?? 'admin@localhost'
    const password = settings.FORDRA_ADMIN_PASSWORD ?? randomBytes(15).toString('base64url')
    const user = { partyId, userCode: null, email: login, fullName: 'Administrator', userRole: 2 as const }
    await insertUser(tx, { ...user, passwordHash: await hashPassword(password) }, origin)
    return settings.FORDRA_ADMIN_PASSWORD === undefined ? [{ role: 'administrator', login, password }] : []
  })
}
