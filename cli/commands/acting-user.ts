/** The caller on whose behalf a command works on the database directly. */
import type { Sql } from '../../server/platform/database/driver/pool.ts'
import { allAccessCodes } from '../../contract/access/access.ts'
import { localDate } from '../../core/calendar/date-time.ts'
import type { Settings } from '../../server/platform/config.ts'
import type { Caller, Origin } from '../../server/platform/http/caller.ts'
import { findUserCaller } from '../../server/access/sessions/sessions.ts'
import { findUserForLogin } from '../../server/access/sessions/sessions.store.ts'

/** Whoever can run commands on the server sees everything. */
const operator: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 2,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  language: 'en',
  mfaPending: false,
}

/** The operator, or the user of the given login with their rights. Throws when that user may not sign in. */
export async function actingAs(sql: Sql, login: string | undefined): Promise<Caller> {
  if (login === undefined) return operator
  const user = await findUserForLogin(sql, login)
  const caller = user && (await findUserCaller(sql, user.userId, null))
  if (caller) return caller
  throw new Error(`No user who may sign in has the login ${login}. 'fordra user list' shows the users.`)
}

/** The business date: the one that was set, else the day in the system's time zone. */
export async function readBusinessDate(sql: Sql, settings: Settings): Promise<string> {
  const [row] = await sql<{ set: string | null }[]>`select system_date as set from business_clock`
  return row?.set ?? localDate(settings.FORDRA_TIME_ZONE, new Date())
}

export async function createOrigin(sql: Sql, settings: Settings, operation: string): Promise<Origin> {
  return { actorId: null, requestId: null, operation, businessDate: await readBusinessDate(sql, settings) }
}
