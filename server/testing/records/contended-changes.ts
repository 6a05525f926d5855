/** Changes that meet on the same debtors and cases, for the tests of the order of locks. */
import assert from 'node:assert/strict'
import { addDays } from '../../../core/calendar/calendar.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { addFee, registerWriteOff } from '../../cases/movements.ts'
import { addCaseDebtor, removeCaseDebtor } from '../../cases/case-debtors.ts'
import { holdCase, resumeCase } from '../../cases/holds/hold-case.ts'
import { changeCaseLaw } from '../../cases/case-law.ts'
import { changeCaseStatus } from '../../cases/case-status.ts'
import { decideObjection, recordObjection } from '../../cases/objections/objections.changes.ts'
import { changeTerms } from '../../cases/case-terms.ts'
import { interruptLimitation } from '../../cases/limitation/interrupt-limitation.ts'
import { registerPayment } from '../../payments/payments.ts'
import { reversePayment } from '../../payments/reverse-payment.ts'
import { refundCredit, useCredit } from '../../payments/credit.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, runDayEnd } from './cases.ts'
import { openPlanStage, type PlanStage } from './plans.ts'
import { allocateSuspense, divideSuspense } from '../../treasury/bank-files/suspense.changes.ts'
import { writeLetter, writeLetters } from '../../collection/letters/write-letter.ts'

export const today = '2026-01-15'
const context = contextOn(today)
const { origin } = context

export type Operation = (turn: number) => Promise<unknown>

/** The debtors and cases that all operations change. */
export interface Contention {
  stage: PlanStage
  /** Looks for deadlocks after 10 ms, so that no wait hides one. */
  sql: Sql
  debtorGuids: [string, string]
  caseGuids: [string, string]
  /** A case on which the debtor has credit. */
  creditCase: string
  /** Debtor of no case. */
  third: string
  close(): Promise<void>
}

export async function openContention(): Promise<Contention> {
  const stage = await openPlanStage(today)
  let sql = openDatabase(stage.api.databaseUrl, { max: 16 })
  await sql.unsafe(
    `alter database ${new URL(stage.api.databaseUrl).pathname.slice(1)} set deadlock_timeout = '10ms'`,
  )
  await sql.end({ timeout: 5 })
  sql = openDatabase(stage.api.databaseUrl, { max: 16 })
  const owed = { principal: 10_000, interestRate: 10, interestFromDate: '2026-01-15' }
  const { debtorGuid, caseGuids: made } = await stage.debtorWith(owed, owed, { principal: 10 })
  await stage.pay({ caseGuid: made[2], amount: 1_000 })
  const other = await makeDebtor(stage.api)
  for (const caseGuid of made.slice(0, 2))
    await addCaseDebtor(sql, agencyCaller, { caseGuid, input: { debtorGuid: other } }, context)
  return {
    stage,
    sql,
    debtorGuids: [debtorGuid, other],
    caseGuids: [made[0]!, made[1]!],
    creditCase: made[2]!,
    third: await makeDebtor(stage.api),
    close: async () => {
      await sql.end({ timeout: 5 })
      await stage.api.close()
    },
  }
}

const money = { currency_code: 'SEK', minor_per_unit: 100, amount: 1_000 }

/** An entry of a bank file, whose money went to suspense. */
async function addBankEntry(sql: Sql): Promise<string> {
  const [fileGuid, entryGuid] = [makeId(), makeId()]
  const hash = Buffer.alloc(32, 7)
  const file = { id: fileGuid, format: 'BGMAX', sha256: hash, bytes: 1, business_date: today }
  await sql`insert into payment_file ${sql({ ...file, entries: 1, suspended: 1 } as never)}`
  const texts = { account: '1', payment_references: [], words: [] }
  const entry = { id: entryGuid, file_id: fileGuid, number: 1, identity: hash, outcome: 'SUSPENSE' }
  await sql`insert into payment_file_entry ${sql({ ...entry, ...money, ...texts } as never)}`
  return entryGuid
}

async function addSuspense(sql: Sql, entryGuid: string): Promise<string> {
  const id = makeId()
  const row = { id, entry_id: entryGuid, value_date: today, reason: 'NO_REFERENCE', ...money }
  await sql`insert into suspense ${sql(row)}`
  return id
}

/** One change each, of one case or several. */
export const makeChanges = async (contention: Contention): Promise<Record<string, Operation>> => ({
  ...makeCaseChanges(contention),
  ...(await makePlanChanges(contention)),
})

function makeCaseChanges({
  sql,
  caseGuids,
  third,
  creditCase,
  debtorGuids,
}: Contention): Record<string, Operation> {
  const [debtorGuid] = debtorGuids
  const one = (turn: number) => ({ caseGuid: caseGuids[turn % 2]! })
  const change = <Input>(turn: number, input: Input) => ({ ...one(turn), input })
  return {
    payDebtor: () => registerPayment(sql, agencyCaller, { debtorGuid, amount: 10 }, context),
    payCase: (turn) => registerPayment(sql, agencyCaller, { ...one(turn), amount: 10 }, context),
    reverse: async (turn) => {
      const { paymentGuid } = await registerPayment(
        sql,
        agencyCaller,
        { debtorGuid, amount: turn + 1 },
        context,
      )
      await reversePayment(sql, agencyCaller, { paymentGuid, input: { reason: 'test' } }, context)
    },
    fee: (turn) => addFee(sql, agencyCaller, change(turn, { feeType: 'REMINDER', amount: 60 }), context),
    writeOff: (turn) => registerWriteOff(sql, agencyCaller, change(turn, { amount: 1 }), context),
    terms: (turn) => changeTerms(sql, agencyCaller, change(turn, { interestRate: 8, tolerance: 1 }), context),
    credit: (turn) => useCredit(sql, agencyCaller, change(turn, { amount: 1 }), context),
    refund: () => refundCredit(sql, agencyCaller, { caseGuid: creditCase, input: { amount: 1 } }, context),
    hold: (turn) => holdCase(sql, agencyCaller, change(turn, { reason: 'HOLD_DISPUTE' }), context),
    resume: (turn) => resumeCase(sql, agencyCaller, one(turn), context),
    addDebtor: (turn) => addCaseDebtor(sql, agencyCaller, change(turn, { debtorGuid: third }), context),
    removeDebtor: (turn) => removeCaseDebtor(sql, agencyCaller, { ...one(turn), debtorGuid: third }, context),
    interrupt: (turn) =>
      interruptLimitation(sql, agencyCaller, change(turn, { interruption: 'ACKNOWLEDGEMENT' }), context),
    status: (turn) =>
      changeCaseStatus(
        sql,
        agencyCaller,
        change(turn, { status: turn % 2 ? 'NEW' : 'SURVEILLANCE' }),
        context,
      ),
    objection: async (turn) => {
      const input = { matter: 'OBJECTION', reason: 'Paid before.', amount: 1 }
      const objectionGuid = await recordObjection(sql, agencyCaller, change(turn, input), context)
      const ruling = { decision: 'PARTLY', decisionReason: 'A part was paid.', amount: 1 }
      const at = { objectionGuid, input: ruling, ifMatch: undefined }
      await decideObjection(sql, agencyCaller, at, context)
    },
    law: (turn) =>
      changeCaseLaw(sql, agencyCaller, change(turn, { governingCountry: turn % 2 ? 'SE' : 'NO' }), context),
  }
}

async function makePlanChanges({
  stage,
  sql,
  caseGuids,
  debtorGuids,
}: Contention): Promise<Record<string, Operation>> {
  const [debtorGuid, other] = debtorGuids
  const { api } = stage
  const plans = `/debtors/${debtorGuid}/paymentplans`
  const entryGuid = await addBankEntry(sql)
  const letter = { debtorGuid, kind: 'statement', dueDate: null, language: 'en' } as const
  return {
    plan: (turn) =>
      api.call('POST', plans, {
        body: {
          paymentPlanType: 1,
          numberOfPayments: 12,
          active: 1,
          cases: turn % 2 ? caseGuids : caseGuids.toReversed(),
        },
      }),
    cancel: async () => {
      const [found] = await sql<{ id: string }[]>`
        select p.id from payment_plan p where p.debtor_id = ${debtorGuid} and p.active > 0 limit 1`
      if (found) await api.call('DELETE', `${plans}/${found.id}`)
    },
    letter: (turn) =>
      writeLetter(sql, agencyCaller, { ...letter, caseGuid: turn % 2 ? null : caseGuids[0]! }, origin),
    letters: (turn) =>
      inTransaction(sql, (tx) =>
        writeLetters(
          tx,
          agencyCaller,
          [turn % 2, 1 - (turn % 2)].map((index) => ({ ...letter, caseGuid: caseGuids[index]! })),
          origin,
        ),
      ),
    debtor: (turn) =>
      api.call('PATCH', `/debtors/${turn % 2 ? debtorGuid : other}`, {
        body: { placeOfBirth: `Place ${turn}` },
      }),
    dayEnd: () => runDayEnd(sql, origin),
    roll: (turn) => api.setDate(addDays(today, turn % 2)),
    suspense: async (turn) => {
      const suspenseGuid = await addSuspense(sql, entryGuid)
      const input = turn % 2 ? { caseGuid: caseGuids[0] } : { debtorGuid }
      await allocateSuspense(sql, agencyCaller, { suspenseGuid, input }, origin)
    },
    division: async (turn) => {
      const suspenseGuid = await addSuspense(sql, entryGuid)
      const parts = [turn % 2, 1 - (turn % 2)].map((index) => ({ caseGuid: caseGuids[index]!, amount: 2 }))
      await divideSuspense(sql, agencyCaller, { suspenseGuid, input: { parts } }, origin)
    },
  }
}

/** A connection tells of its deadlocks within a second; asked so, each tells at once. */
async function tellDeadlocks(sql: Sql): Promise<void> {
  const connections = Array.from(
    { length: 16 },
    () => sql`select pg_stat_force_next_flush(), pg_sleep(0.004)`,
  )
  await Promise.all(connections)
}

async function countDeadlocks({ sql, stage }: Contention): Promise<number> {
  await Promise.all([tellDeadlocks(sql), tellDeadlocks(stage.api.app.service.sql)])
  const [row] = await sql<{ count: number }[]>`
    select deadlocks::int as count from pg_stat_database where datname = current_database()`
  return row!.count
}

/** What a rule refuses is no concern here. */
async function attempt(operation: Operation, turn: number): Promise<string> {
  try {
    await operation(turn)
    return 'done'
  } catch (error) {
    if (error instanceof ApiError) return error.kind
    throw error
  }
}

/** Runs two of each pair at once. There must be no deadlock, each must be done at least once, and the books be right. */
export async function meetInPairs(
  contention: Contention,
  operations: Record<string, Operation>,
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  const done = new Set<string>()
  const deadlocks: string[] = []
  let known = await countDeadlocks(contention)
  for (const pair of pairs) {
    await Promise.all(
      Array.from({ length: 4 }, async (_, turn) => {
        const name = pair[turn % 2]!
        if ((await attempt(operations[name]!, turn >> 1)) === 'done') done.add(name)
      }),
    )
    const counted = await countDeadlocks(contention)
    if (counted > known) deadlocks.push(pair.join(' and '))
    known = counted
  }
  assert.deepEqual(deadlocks, [])
  const names = new Set(pairs.flat())
  assert.deepEqual(
    [...names].filter((name) => !done.has(name)),
    [],
    'Each was made at least once.',
  )
  await assertProven(contention.stage.api)
}
