/** Creates, changes, starts and stops trials, for the API and the form. */
import type { TrialInput, TrialItem } from '../../../contract/collection/trials.ts'
import { fromMinor } from '../../../core/money/money.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { findClientTerms } from '../../claims/client-terms.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  changesBetween,
  initialChanges,
  insertRecords,
  toRecords,
  type Change,
} from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { listStrategies } from '../strategies/strategies.store.ts'
import { apiMembers, readTrial, type ChallengerMembers, type ReadTrial } from './trials.rules.ts'
import * as store from './trials.store.ts'

/** Throws a 400 that names each wrong member. */
async function readInput(
  db: Db,
  caller: Caller,
  input: TrialInput,
  members = apiMembers,
): Promise<ReadTrial> {
  const strategies = new Set((await listStrategies(db)).map(({ code }) => code))
  const clientGuid = input.clientGuid?.trim().toLowerCase()
  const isClient =
    clientGuid !== undefined && isGuid(clientGuid) && (await findClientTerms(db, clientGuid)) !== undefined
  const checks = new FieldErrors(caller.language)
  const trial = readTrial(input, { strategies, isClient, members }, checks)
  checks.throwIfAny()
  return trial
}

/** Creates a draft and returns its guid. */
export async function createTrial(
  db: Db,
  caller: Caller,
  { input, origin, members }: { input: TrialInput; origin: Origin; members?: ChallengerMembers },
): Promise<string> {
  const trial = await readInput(db, caller, input, members)
  return inTransaction(db, async (tx) => {
    const id = await store.insertTrial(tx, trial)
    await record(tx, origin, { id, sequence: 1 }, 'created', initialChanges(auditRecord(trial)))
    return id
  })
}

/** Changes a draft and returns its version. Throws a 400, 404, 409 or 412. */
export async function changeTrial(
  db: Db,
  caller: Caller,
  trialGuid: string,
  {
    input,
    origin,
    ifMatch,
    members,
  }: { input: TrialInput; origin: Origin; ifMatch: IfMatch; members?: ChallengerMembers },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const held = await lockDraft(tx, trialGuid, ifMatch)
    const before = toInput((await store.findTrial(tx, caller, trialGuid))!.item)
    const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined)
    const after = await readInput(tx, caller, { ...before, ...Object.fromEntries(given) }, members)
    const changes = changesBetween(auditRecord(await readInput(tx, caller, before)), auditRecord(after))
    if (Object.keys(changes).length === 0) return held.version
    await store.updateTrial(tx, trialGuid, after)
    await record(tx, origin, { id: trialGuid, sequence: held.eventSequence + 1 }, 'updated', changes)
    return held.version + 1
  })
}

export async function removeTrial(
  db: Db,
  trialGuid: string,
  origin: Origin,
  ifMatch: IfMatch,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await lockDraft(tx, trialGuid, ifMatch)
    await store.deleteTrial(tx, trialGuid)
    await record(tx, origin, { id: trialGuid, sequence: held.eventSequence + 1 }, 'deleted', {})
  })
}

async function lockDraft(tx: Db, trialGuid: string, ifMatch: IfMatch): Promise<store.HeldTrial> {
  const held = await store.lockTrial(tx, trialGuid)
  if (!held) throw notFound('trial')
  requireMatch(ifMatch, held.version)
  if (held.status !== 'DRAFT')
    throw new ApiError(
      'conflict',
      'The trial was started. Only a draft can be changed or deleted: create a new trial.',
    )
  return held
}

/** Throws a 409 for a trial that was started, that overlaps another one, or whose champion no client has. */
export async function startTrial(db: Db, trialGuid: string, origin: Origin): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await lockDraft(tx, trialGuid, undefined)
    await store.lockStrategies(tx, trialGuid)
    const other = await store.findOverlap(tx, trialGuid)
    if (other !== undefined)
      throw new ApiError(
        'conflict',
        `The trial “${other}” of the same champion runs for the same clients. Stop it first.`,
      )
    if (!(await store.isChampionUsed(tx, trialGuid)))
      throw new ApiError(
        'conflict',
        'No client of the trial has the champion. Give the strategy to a client first (PUT /clients/{clientGuid}/strategy).',
      )
    await move(tx, origin, { trialGuid, held, to: 'RUNNING' })
  })
}

export async function stopTrial(db: Db, trialGuid: string, origin: Origin): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await store.lockTrial(tx, trialGuid)
    if (!held) throw notFound('trial')
    if (held.status !== 'RUNNING') throw new ApiError('conflict', 'The trial does not run.')
    await move(tx, origin, { trialGuid, held, to: 'STOPPED' })
  })
}

async function move(
  tx: Db,
  origin: Origin,
  { trialGuid, held, to }: { trialGuid: string; held: store.HeldTrial; to: 'RUNNING' | 'STOPPED' },
): Promise<void> {
  await store.moveTrial(tx, trialGuid, { status: to, date: origin.businessDate })
  const action = to === 'RUNNING' ? 'started' : 'stopped'
  const changes = { status: [held.status, to] } as const
  await record(tx, origin, { id: trialGuid, sequence: held.eventSequence + 1 }, action, changes)
}

export const toInput = (item: TrialItem): TrialInput => ({
  name: item.name,
  clientGuid: item.clientGuid,
  champion: item.arms[0]!.strategy,
  challengers: item.arms.slice(1).map(({ strategy, share }) => ({ strategy, share })),
  outcomeDays: item.outcomeDays,
  highestAmount: item.highestAmount,
  currencyCode: item.currencyCode,
  plannedCases: item.plannedCases,
})

const auditRecord = ({ arms, highestMinor, ...rest }: ReadTrial) => ({
  ...rest,
  champion: arms[0]!.strategy,
  challengers: arms.slice(1).map(({ strategy, share }) => `${strategy} ${share}%`),
  highestAmount: fromMinor(highestMinor, rest.currencyCode),
})

async function record(
  tx: Db,
  origin: Origin,
  { id, sequence }: { id: string; sequence: number },
  action: 'created' | 'updated' | 'deleted' | 'started' | 'stopped',
  changes: Change['changes'],
): Promise<void> {
  const type = `trial.${action}` as const
  const changed = action === 'updated' ? { changed: Object.keys(changes) } : {}
  const change = { type, entityId: id, subject: id, sequence, data: { trialGuid: id, ...changed }, changes }
  await insertRecords(tx, toRecords(origin, [change]))
}
