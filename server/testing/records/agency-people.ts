/** People of the agency with roles, and the limits above which they need a second person. */
import assert from 'node:assert/strict'
import { allAccessCodes, type AccessCode, type UserRole } from '../../../contract/access/access.ts'
import type { ApprovalDetail, ApprovalLimit } from '../../../contract/access/approvals.ts'
import type { User } from '../../../contract/access/users.ts'
import { startSession } from '../../access/sessions/sessions.ts'
import type { CallOptions, Response, TestApi } from '../api.ts'

export interface Person {
  userGuid: string
  call<T>(method: string, path: string, options?: CallOptions): Promise<Response<T>>
}

/** Files of tests share a process. */
const counts = new WeakMap<TestApi, number>()

/** A user of the role with a session. */
export async function addPerson(
  api: TestApi,
  userRole: UserRole,
  { codes = allAccessCodes, restrictedTo }: { codes?: readonly AccessCode[]; restrictedTo?: string } = {},
): Promise<Person> {
  const number = (counts.get(api) ?? 0) + 1
  counts.set(api, number)
  const group = { code: `P${number}`, name: 'Group', accessCodes: codes.join(',') }
  assert.equal((await api.call('POST', '/system/forms/accessgroup/create', { body: group })).status, 201)
  const made = await api.call<User>('POST', '/users', {
    body: {
      partyReferenceCode: 'AGENCY',
      email: `person${number}@agency.example`,
      password: 'en lång mening som är min',
      fullName: `Person ${number}`,
      userRole,
      accessGroups: [group.code],
      clientRestriction: restrictedTo ? [{ partyReferenceCode: restrictedTo, includeSubParties: true }] : [],
    },
  })
  assert.equal(made.status, 201, made.text)
  const userGuid = made.body.uniqueId
  const { tokens } = await startSession(api.sql, userGuid)
  return {
    userGuid,
    call: (method, path, options) => api.call(method, path, { token: tokens.accessToken, ...options }),
  }
}

/** No limits, and nothing that counts against one: each test begins from nothing. */
export async function clearLimits({ sql }: TestApi): Promise<void> {
  await sql`delete from approval_limit`
  await sql`delete from lone_act`
}

/** Sets a limit of what a role does alone. Returns its guid. */
export async function setLimit(
  api: TestApi,
  act: string,
  amount: number | null,
  more: object = {},
): Promise<string> {
  const body = { act, userRole: 3, ...(amount !== null && { amount, currencyCode: 'SEK' }), ...more }
  const made = await api.call<ApprovalLimit>('POST', '/system/forms/approvallimit/create', { body })
  assert.equal(made.status, 201, made.text)
  return made.body.approvalLimitGuid
}

/** Requests an act, which must need a second person. Returns the guid of the request. */
export async function requestAct(who: Person, body: object): Promise<string> {
  const made = await who.call<ApprovalDetail>('POST', '/approvals', { body })
  assert.equal(made.status, 201, made.text)
  return made.body.approvalGuid
}
export const approveAct = (who: Person, guid: string, body: object = {}) =>
  who.call<ApprovalDetail>('POST', `/approvals/${guid}/approve`, { body })
