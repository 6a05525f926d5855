/** What the tests of cases share. */
import assert from 'node:assert/strict'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { allAccessCodes } from '../../../contract/access/access.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { runChunks } from '../../platform/jobs/chunked-work.ts'
import { checkPlans } from '../../plans/check-plans.ts'
import type { TestApi } from '../api.ts'
import { closeDue } from '../../cases/day-end.ts'
import { registerPayment } from '../../payments/payments.ts'
import { registerCase } from '../../cases/register-case.ts'
import type { CaseContext } from '../../claims/case-lock.ts'
import { verifyLedger } from '../../ledger/verify-ledger.ts'
import { rowHelper } from '../../platform/database/statement.ts'

export const contextOn = (businessDate: string): CaseContext => ({
  origin: { actorId: null, requestId: null, operation: 'test', businessDate },
})

/** Somebody of the agency who may do everything. */
export const agencyCaller: Caller = {
  userId: '00000000-0000-0000-0000-000000000000',
  sessionId: '',
  partyId: '00000000-0000-0000-0000-000000000000',
  role: 2,
  accessCodes: new Set(allAccessCodes),
  partyIds: null,
  mfaPending: false,
  language: 'en',
}

export async function makeDebtor(api: TestApi, body: object = {}): Promise<string> {
  const made = await api.call<{ debtorGuid: string }>('POST', '/debtors', {
    body: { lastname: 'Gäldenär', ...body },
  })
  return made.body.debtorGuid
}

export async function setTerms(api: TestApi, party: string, columns: Record<string, unknown>): Promise<void> {
  await api.sql`update party set ${rowHelper(api.sql, columns)} where id = ${party}`
}

/** The work is refused in that way, naming that field. */
export async function assertRefused(
  work: () => Promise<unknown>,
  kind: ApiError['kind'],
  field: string | null,
  about: string,
): Promise<ApiError> {
  let failure: unknown
  try {
    await work()
  } catch (error) {
    failure = error
  }
  assert.ok(failure instanceof ApiError, `${about}: ${String(failure)}`)
  assert.equal(failure.kind, kind, `${about}: ${failure.message}`)
  if (field !== null) assert.ok(failure.errors?.[field]?.[0], `${about}: ${JSON.stringify(failure.errors)}`)
  return failure
}

export const nowhere = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
export const today = '2026-06-15'
export const context = contextOn(today)

export type OpenedCases = Awaited<ReturnType<typeof openCases>>

/** Cases on 15 June 2026 with two clients, each case with a debtor of its own unless told otherwise. */
export async function openCases(api: TestApi) {
  await api.setDate(today)
  const client = await api.addParty('CLIENT')
  const other = await api.addParty('OTHER')
  return {
    client,
    other,
    register: async (input: object = {}) => {
      const given = (input as { debtorGuid?: string }).debtorGuid
      const debtorGuid = given ?? (await makeDebtor(api))
      const whole = { clientGuid: client, debtorGuid, principal: 1000, currencyCode: 'SEK', ...input }
      return { debtorGuid, ...(await registerCase(api.sql, agencyCaller, whole, context)) }
    },
    pay: (input: object, caller = agencyCaller) => registerPayment(api.sql, caller, input, context),
    readState: async (caseGuid: string) => {
      const [row] = await api.sql`
        select status, sub_status, closure_code, credit, remaining_principal + remaining_interest + remaining_fee as remaining
        from debt_case where id = ${caseGuid}`
      return row!
    },
  }
}

/** The same, where letters can be written: of Swedish clients with an account. */
export async function openSwedishCases(api: TestApi): ReturnType<typeof openCases> {
  const cases = await openCases(api)
  await api.sql`update party set country_code = 'SE', bank_account_no = '5050-1055'`
  return cases
}

/** The books are right. */
export async function assertProven(api: TestApi): Promise<void> {
  const { faults } = await verifyLedger(api.sql)
  assert.deepEqual(faults, [])
}

/** What a night brings to cases and plans, apart from strategies. */
export async function runDayEnd(db: Sql, origin: Origin) {
  const { closed: timeBarred } = await runChunks(db, closeDue('TIME_BARRED'), origin)
  const { closed: smallBalances } = await runChunks(db, closeDue('SMALL_BALANCE'), origin)
  return { timeBarred, smallBalances, plans: await runChunks(db, checkPlans(), origin) }
}
