/** All changes lock in one order: the date, debtors, cases by guid, plans by guid. Whatever meets, no deadlock comes of it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '../../core/calendar/calendar.ts'
import type { Sql } from '../platform/database/driver/pool.ts'
import { makeId } from '../platform/database/make-id.ts'
import { openDatabase } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { ApiError } from '../platform/http/errors.ts'
import { addFee, registerWriteOff } from '../cases/movements.ts'
import { addCaseDebtor, removeCaseDebtor } from '../cases/case-debtors.ts'
import { holdCase, resumeCase } from '../cases/holds/hold-case.ts'
import { changeTerms } from '../cases/case-terms.ts'
import { interruptLimitation } from '../cases/limitation/interrupt-limitation.ts'
import { registerPayment } from '../payments/payments.ts'
import { reversePayment } from '../payments/reverse-payment.ts'
import { refundCredit, useCredit } from '../payments/credit.ts'
import { agencyCaller, assertProven, contextOn, makeDebtor, runDayEnd } from '../testing/records/cases.ts'
import { openPlanStage, type PlanStage } from '../testing/records/plans.ts'
import { allocateSuspense, divideSuspense } from '../treasury/bank-files/suspense.changes.ts'
import { writeLetter, writeLetters } from './letters/write-letter.ts'

const today = '2026-01-15'
const context = contextOn(today)
const { origin } = context

let stage: PlanStage
/** Looks for deadlocks after 10 ms, so that no wait hides one. */
let sql: Sql
before(async () => {
  stage = await openPlanStage(today)
  sql = openDatabase(stage.api.databaseUrl, { max: 16 })
  await sql.unsafe(
    `alter database ${new URL(stage.api.databaseUrl).pathname.slice(1)} set deadlock_timeout = '10ms'`,
  )
  await sql.end({ timeout: 5 })
  sql = openDatabase(stage.api.databaseUrl, { max: 16 })
})
after(async () => {
  await sql.end({ timeout: 5 })
  await stage.api.close()
})

const money = { currency_code: 'SEK', minor_per_unit: 100, amount: 1_000 }

/** An entry of a bank file, whose money went to suspense. */
async function addBankEntry(): Promise<string> {
  const [fileGuid, entryGuid] = [makeId(), makeId()]
  const hash = Buffer.alloc(32, 7)
  const file = { id: fileGuid, format: 'BGMAX', sha256: hash, bytes: 1, business_date: today }
  await sql`insert into payment_file ${sql({ ...file, entries: 1, suspended: 1 } as never)}`
  const texts = { account: '1', payment_references: [], words: [] }
  const entry = { id: entryGuid, file_id: fileGuid, number: 1, identity: hash, outcome: 'SUSPENSE' }
  await sql`insert into payment_file_entry ${sql({ ...entry, ...money, ...texts } as never)}`
  return entryGuid
}

async function addSuspense(entryGuid: string): Promise<string> {
  const id = makeId()
  const row = { id, entry_id: entryGuid, value_date: today, reason: 'NO_REFERENCE', ...money }
  await sql`insert into suspense ${sql(row)}`
  return id
}

type Operation = (turn: number) => Promise<unknown>

async function makeOperations(): Promise<Record<string, Operation>> {
  const owed = { principal: 10_000, interestRate: 10, interestFromDate: '2026-01-15' }
  const { debtorGuid, caseGuids: made } = await stage.debtorWith(owed, owed, { principal: 10 })
  const caseGuids = made.slice(0, 2)
  // The debtor has credit.
  await stage.pay({ caseGuid: made[2], amount: 1_000 })
  const other = await makeDebtor(stage.api)
  for (const caseGuid of caseGuids)
    await addCaseDebtor(sql, agencyCaller, { caseGuid, input: { debtorGuid: other } }, context)
  const third = await makeDebtor(stage.api)
  const one = (turn: number) => ({ caseGuid: caseGuids[turn % 2]! })
  const change = <Input>(turn: number, input: Input) => ({ ...one(turn), input })
  const { api } = stage
  const plans = `/debtors/${debtorGuid}/paymentplans`
  const entryGuid = await addBankEntry()
  const letter = { debtorGuid, kind: 'statement', dueDate: null, language: 'en' } as const
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
    refund: () => refundCredit(sql, agencyCaller, { caseGuid: made[2]!, input: { amount: 1 } }, context),
    hold: (turn) => holdCase(sql, agencyCaller, change(turn, { reason: 'HOLD_DISPUTE' }), context),
    resume: (turn) => resumeCase(sql, agencyCaller, one(turn), context),
    addDebtor: (turn) => addCaseDebtor(sql, agencyCaller, change(turn, { debtorGuid: third }), context),
    removeDebtor: (turn) => removeCaseDebtor(sql, agencyCaller, { ...one(turn), debtorGuid: third }, context),
    interrupt: (turn) =>
      interruptLimitation(sql, agencyCaller, change(turn, { interruption: 'ACKNOWLEDGEMENT' }), context),
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
      const suspenseGuid = await addSuspense(entryGuid)
      const input = turn % 2 ? one(turn) : { debtorGuid }
      await allocateSuspense(sql, agencyCaller, { suspenseGuid, input }, origin)
    },
    division: async (turn) => {
      const suspenseGuid = await addSuspense(entryGuid)
      const parts = [turn % 2, 1 - (turn % 2)].map((index) => ({ caseGuid: caseGuids[index]!, amount: 2 }))
      await divideSuspense(sql, agencyCaller, { suspenseGuid, input: { parts } }, origin)
    },
  }
}

async function countDeadlocks(): Promise<number> {
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

test('each pair of changes of the same debtors and cases meets no deadlock', async () => {
  const operations = await makeOperations()
  const names = Object.keys(operations)
  const done = new Set<string>()
  for (const [index, first] of names.entries()) {
    for (const second of names.slice(index)) {
      await Promise.all(
        Array.from({ length: 4 }, async (_, turn) => {
          const name = turn % 2 ? first : second
          if ((await attempt(operations[name]!, turn >> 1)) === 'done') done.add(name)
        }),
      )
      assert.equal(await countDeadlocks(), 0, `${first} and ${second}`)
    }
  }
  assert.deepEqual(
    names.filter((name) => !done.has(name)),
    [],
    'Each was made at least once.',
  )
  await assertProven(stage.api)
})
