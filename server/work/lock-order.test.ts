/** What locks several cases holds the date before the first: the roll of the date locks cases in any order. */
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { after, before, test } from 'node:test'
import { changeDemand } from '../cases/demands/change-demand.ts'
import { bookingLock } from '../ledger/ledger.store.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { ApiError } from '../platform/http/errors.ts'
import { agencyCaller, contextOn } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'
import { assignCases } from './work.changes.ts'

const today = '2026-01-15'
const context = contextOn(today)
let stage: PlanStage
let caseGuids: string[]
before(async () => {
  stage = await openPlanStage(today)
  ;({ caseGuids } = await stage.debtorWith({ principal: 10 }, { principal: 20 }))
})
after(() => stage.api.close())

/** Runs a change while the date is being rolled, and tries whether the roll could lock the cases meanwhile. */
async function meetRoll(change: () => Promise<unknown>): Promise<void> {
  const { sql } = stage.api
  let made: Promise<unknown> = Promise.resolve()
  let ended = false
  await inTransaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${bookingLock})`
    made = change()
      .catch((error: unknown) => error)
      .finally(() => (ended = true))
    for (let waiting = 0; waiting === 0; await setTimeout(5)) {
      assert.ok(!ended, 'It did not wait for the roll.')
      ;[{ count: waiting }] = await tx<[{ count: number }]>`
        select count(*)::int as count from pg_locks
        where locktype = 'advisory' and objid = ${bookingLock} and not granted
          and database = (select oid from pg_database where datname = current_database())`
    }
    await tx`select from debt_case where id = any(${caseGuids}) for update nowait`
  })
  const outcome = await made
  if (outcome instanceof Error) assert.ok(outcome instanceof ApiError, String(outcome.stack))
}

test('an assignment of several cases waits for the roll of the date', () =>
  meetRoll(() => assignCases(stage.api.sql, agencyCaller, { caseGuids, ownerGuid: null }, context.origin)))

test('a demand together with another case waits for the roll of the date', () =>
  meetRoll(() => {
    const [caseGuid, demandedWith] = caseGuids as [string, string]
    const input = { demandedWith, demandReason: 'Same debtor.' }
    return changeDemand(stage.api.sql, agencyCaller, { caseGuid, input }, context)
  }))
