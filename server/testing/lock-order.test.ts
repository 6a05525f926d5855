/** Each change locks in the order of all changes, also where it meets no other: cases by guid, then debtors by guid. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lockCase, lockCases } from '../claims/case-lock.ts'
import { applyStrategies } from '../collection/strategies/apply-strategies.ts'
import { eraseDebtor } from '../insight/erasure/erase-debtor.ts'
import { lockDebtors } from '../parties/debtors/debtor-lock.ts'
import { inTransaction, type Db } from '../platform/database/transaction.ts'
import { makeId } from '../platform/database/make-id.ts'
import { runChunks } from '../platform/jobs/chunked-work.ts'
import { startApi, type TestApi } from './api.ts'
import { agencyCaller, contextOn } from './records/cases.ts'
import { makeBatches, type Batches } from './records/contended-batches.ts'
import { makeChanges, openContention, type Contention } from './records/contended-changes.ts'
import { makeDemands, notified, start, type Demands } from './records/demands.ts'
import { orderRows, probeLockOrder, type Lockable } from './records/lock-order.ts'

let contention: Contention
let batches: Batches
let contendedRows: Lockable[]
let api: TestApi
let demands: Demands
before(async () => {
  contention = await openContention()
  batches = await makeBatches(contention)
  contendedRows = orderRows(contention.caseGuids, contention.debtorGuids)
  api = await startApi({ FORDRA_SERVICES: '' })
  demands = makeDemands(api)
})
after(async () => {
  batches.close()
  await contention.close()
  await api.close()
})

/** Changes of one row, changes that lock none of the contended rows, and changes with a transaction for each case. */
const leftOut = new Set([
  'debtor',
  'cancel',
  'dayEnd',
  'roll',
  'dates',
  'debtors',
  'customers',
  'parties',
  'users',
  'bankFile',
  'bulkHold',
  'bulkResume',
  'bulkStatus',
  'bulkNote',
  'bulkStrategy',
])

test('each change of contended records locks them in order, in whichever order it names them', async () => {
  const changes = await makeChanges(contention)
  for (const [name, change] of Object.entries({ ...changes, ...batches.imports, ...batches.bulkActions })) {
    if (leftOut.has(name)) continue
    const probe = (turn: number) =>
      probeLockOrder(contention.sql, async () => {
        await changes['cancel']!(0)
        return { rows: contendedRows, change: () => change(turn) }
      })
    const { waitedFor, tooEarly } = await probe(0)
    assert.deepEqual(tooEarly, [], name)
    assert.notEqual(waitedFor.length, 0, `${name} locked none of the rows.`)
    if (waitedFor.length > 1) assert.deepEqual((await probe(1)).tooEarly, [], name)
  }
})

const everyRow = (rows: readonly Lockable[]) => rows.map(({ name }) => name)

/** Two claims of one debtor, which are demanded together. */
async function openClaims() {
  const { debtorGuid, register } = await demands.open('NO')
  const caseGuids = [await register(notified), await register(notified)]
  return { debtorGuid, caseGuids, rows: orderRows(caseGuids, [debtorGuid]) }
}

test('a letter that demands claims together locks them before their debtor (sendLetter)', async () => {
  const { debtorGuid, caseGuids, rows } = await openClaims()
  const found = await probeLockOrder(api.sql, async () => ({
    rows,
    change: () =>
      api.call('POST', `/debtors/${debtorGuid}/letters`, {
        body: { caseGuid: caseGuids[1], kind: 'demand', dueDate: '2026-03-20' },
      }),
  }))
  assert.deepEqual(found, { waitedFor: everyRow(rows), tooEarly: [] })
})

test('a claim that is put into the demand group of another locks both in order (case/demand)', async () => {
  const { caseGuids, rows } = await openClaims()
  const [first, second] = caseGuids.toSorted() as [string, string]
  for (const [caseGuid, demandedWith] of [
    [first, second],
    [second, first],
  ] as const) {
    const body = { demandedWith, demandReason: 'Same debtor.' }
    const found = await probeLockOrder(api.sql, async () => ({
      rows,
      change: () => demands.setDemand(caseGuid, body),
    }))
    assert.deepEqual(found, { waitedFor: ['case 1', 'case 2'], tooEarly: [] })
  }
})

test('confirmed findings of several claims lock them in order (confirmLawFindings)', async () => {
  const { caseGuids, rows } = await openClaims()
  const reviewGuid = makeId()
  await api.sql`insert into law_review (id, business_date) values (${reviewGuid}, ${start})`
  const made = caseGuids.toSorted().toReversed()
  const findings = made.map((case_id) => ({
    id: makeId(),
    review_id: reviewGuid,
    case_id,
    kind: 'FEE_NOT_ALLOWED',
    verified: false,
    amount: 0,
    correction: 'NONE',
    status: 'OPEN',
    case_version: 1,
  }))
  for (const finding of findings) await api.sql`insert into law_finding ${api.sql(finding)}`
  const found = await probeLockOrder(api.sql, async () => ({
    rows,
    change: () =>
      api.call('POST', '/law-findings/confirmations', {
        body: { lawFindingGuids: findings.map(({ id }) => id) },
      }),
  }))
  assert.deepEqual(found, { waitedFor: ['case 1', 'case 2'], tooEarly: [] })
})

/** A debtor of the half of all debtors with which one transaction of the night begins. */
async function openInLowHalf(strategy: string) {
  for (;;) {
    const opened = await demands.open('NO', {}, strategy)
    if (Number.parseInt(opened.debtorGuid.slice(-2), 16) < 128) return opened
  }
}

test('a night locks the cases of its steps before the debtors of its letters', async () => {
  const actions = [
    { kind: 'status', status: 'AMICABLE', subStatus: 'DEMAND_SENT' },
    { kind: 'letter', letter: 'demand', dueDays: 18 },
  ]
  const steps = [{ code: 'DEMAND', status: 'NEW', afterDays: 0, actions }]
  const made = await api.call('POST', '/strategies', { body: { code: 'OTHER', name: 'Other', steps } })
  assert.equal(made.status, 201, made.text)
  const found = await probeLockOrder(api.sql, async () => {
    const debtors = [
      await openInLowHalf('NORDIC'),
      await openInLowHalf('OTHER'),
      await openInLowHalf('NORDIC'),
    ]
    const caseGuids: string[] = []
    for (const { register } of debtors) caseGuids.push(await register(notified))
    const rows = orderRows(
      caseGuids,
      debtors.map(({ debtorGuid }) => debtorGuid),
    )
    const origin = { ...contextOn(start).origin, operation: 'day-end' }
    return { rows, change: () => runChunks(api.sql, applyStrategies(), origin) }
  })
  assert.deepEqual(found.tooEarly, [])
  assert.equal(found.waitedFor.length, 6)
})

test('an erasure locks the cases of the debtor before the debtor (eraseDebtor)', async () => {
  const { debtorGuid, rows } = await openClaims()
  const { origin } = contextOn(start)
  const found = await probeLockOrder(api.sql, async () => {
    const erasure = { id: makeId(), debtorId: debtorGuid, kinds: [1], erasedAt: new Date().toISOString() }
    const erase = (tx: Db) => eraseDebtor(tx, agencyCaller, erasure, { origin, custom: new Map() })
    return { rows, change: () => inTransaction(api.sql, erase) }
  })
  assert.deepEqual(found, { waitedFor: everyRow(rows), tooEarly: [] })
})

/** Runs one statement after the other in a transaction, as one change would. */
const planted =
  (...locks: ((tx: Db) => Promise<unknown>)[]) =>
  () =>
    inTransaction(contention.sql, async (tx) => {
      for (const lock of locks) await lock(tx)
    })

test('a wrong order that is planted in one change alone is found, and a right one is not', async () => {
  const context = contextOn(start)
  const [low, high] = contention.caseGuids.toSorted() as [string, string]
  const [debtor, other] = contention.debtorGuids.toSorted() as [string, string]
  const probe = (change: () => Promise<unknown>) =>
    probeLockOrder(contention.sql, async () => ({ rows: contendedRows, change }))
  const lockOne = (guid: string) => (tx: Db) => lockCase(tx, agencyCaller, guid, context)
  const lockParty = (guid: string) => (tx: Db) => lockDebtors(tx, agencyCaller, [guid], context.origin)
  assert.deepEqual((await probe(planted(lockOne(high), lockOne(low)))).tooEarly, ['case 2 before case 1'])
  assert.deepEqual((await probe(planted(lockParty(debtor), lockOne(low)))).tooEarly, [
    'debtor 1 before case 1',
  ])
  assert.deepEqual((await probe(planted(lockParty(other), lockParty(debtor)))).tooEarly, [
    'debtor 2 before debtor 1',
  ])
  const right = planted((tx) => lockCases(tx, agencyCaller, [high, low]), lockParty(debtor), lockParty(other))
  assert.deepEqual(await probe(right), { waitedFor: everyRow(contendedRows), tooEarly: [] })
})
