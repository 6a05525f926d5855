/** Creates the first users of a new installation. */
import { randomBytes } from 'node:crypto'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { Settings } from '../../platform/config.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords } from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { hashPassword } from '../sessions/passwords.ts'
import { insertDemoAgency } from './demo-agency.ts'
import { findAgency, insertParty, recordParty } from './parties.store.ts'
import { findPasswordFault, type PasswordOwner } from './password.rules.ts'
import { noUser } from './users.rules.ts'
import { hasUsers, insertUser } from './users.store.ts'

/** A login with its password in clear text, shown once on the terminal. */
export interface FirstLogin {
  role: string
  login: string
  password: string
}

const lock = 7_240_002

async function makeAgency(tx: Db, name: string, origin: Origin): Promise<string> {
  const partyId = await insertParty(tx, { referenceCode: 'AGENCY', name, parentId: null })
  const record = { partyReferenceCode: 'AGENCY', name, parentPartyReferenceCode: null }
  await insertRecords(tx, toRecords(origin, [recordParty(partyId, record)]))
  return partyId
}

/** Throws with what is wrong with the configured password. The rules are those of every password. */
async function requirePassword(password: string, owner: PasswordOwner, agencyName: string): Promise<void> {
  const fault = await findPasswordFault(password, owner, agencyName)
  if (fault !== null) throw new Error(`FORDRA_ADMIN_PASSWORD ${fault}`)
}

/**
 * On a database without users: creates the agency and the first administrator, and the demo users in demo mode. When
 * several nodes start at once, one of them does it. Returns logins with generated passwords. Throws for a configured
 * password that is easy to guess.
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
    const partyId = (await findAgency(tx)) ?? (await makeAgency(tx, name, origin))
    if (settings.FORDRA_DEMO === 1) {
      await insertDemoAgency(tx, partyId, origin)
      if (settings.FORDRA_ADMIN_EMAIL === undefined) return []
    }
    const login = settings.FORDRA_ADMIN_EMAIL ?? 'admin@localhost'
    const password = settings.FORDRA_ADMIN_PASSWORD ?? randomBytes(15).toString('base64url')
    const record = { ...noUser, email: login, fullName: 'Administrator', userRole: 2 }
    if (settings.FORDRA_ADMIN_PASSWORD !== undefined) await requirePassword(password, record, name)
    await insertUser(tx, { partyId, record, passwordHash: await hashPassword(password) }, origin)
    return settings.FORDRA_ADMIN_PASSWORD === undefined ? [{ role: 'administrator', login, password }] : []
  })
}
