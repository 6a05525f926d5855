/** Creates, changes and deletes strategies, for the API and the form. */
import type {
  NewStrategy,
  StrategyChange,
  StrategyItem,
  StrategyStepInput,
} from '../../../contract/collection/strategies.ts'
import { feeTypes } from '../../../core/ledger/statutory-fees.ts'
import { findOwnFeeTypes } from '../../ledger/fees.store.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import {
  changesBetween,
  initialChanges,
  insertRecords,
  toRecords,
  type Change,
} from '../../platform/events/record.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { findUserCaller } from '../../access/sessions/sessions.ts'
import { findAnyTrial, findRunningTrial } from '../trials/trials-of-strategy.ts'
import { namedUsers, type CallableService, type KnownNames } from './actions.rules.ts'
import { canonicalStep } from './canonical-step.ts'
import { readCode, readSteps } from './strategies.rules.ts'
import * as store from './strategies.store.ts'

export interface StrategyContext {
  origin: Origin
  /** The custom services for debtors. */
  services: readonly CallableService[]
}

/** Loads the names that the actions of the given steps refer to. */
export async function findKnownNames(
  db: Db,
  steps: readonly StrategyStepInput[] | null | undefined,
  services: readonly CallableService[],
): Promise<KnownNames> {
  const users: KnownNames['users'] = new Map(
    (await Promise.all(namedUsers(steps ?? []).map((guid) => findUserCaller(db, guid, null)))).flatMap(
      (caller) => (caller ? [[caller.userId, caller.accessCodes]] : []),
    ),
  )
  return {
    feeTypes: new Set([...feeTypes, ...(await findOwnFeeTypes(db, null))]),
    services: new Map(services.map((one) => [one.code, one])),
    users,
  }
}

/**
 * Creates a strategy that no client has yet. Returns its guid. Throws a 400 naming each wrong member, or a
 * 409.
 */
export async function createStrategy(
  db: Db,
  input: NewStrategy,
  { origin, services }: StrategyContext,
): Promise<string> {
  const known = await findKnownNames(db, input.steps, services)
  const checks = new FieldErrors()
  const code = readCode(input.code, 'code', checks)
  const name = readName(input.name, checks)
  const steps = readSteps(input.steps, known, checks)
  checks.throwIfAny()
  const source = input.source?.trim() ?? ''
  return inTransaction(db, async (tx) => {
    const id = await store.insertStrategy(tx, { code, name, source, unverified: false, steps })
    if (id === undefined)
      throw new ApiError('conflict', `The code ${code} is already in use. Choose another code.`, {
        errors: { code: ['is the code of another strategy.'] },
      })
    await tx`update strategy set event_sequence = 1 where id = ${id}`
    const changes = initialChanges({ code, name, source: source || null, steps })
    await recordChange(tx, origin, { id, code, version: 1, sequence: 1 }, 'created', changes)
    return id
  })
}

function readName(given: string | null | undefined, checks: FieldErrors): string {
  const name = given?.trim() ?? ''
  if (name === '') checks.add('name', 'is required.')
  return name
}

/** Creates a new version and returns it. Throws a 400 naming each wrong member, a 404 or a 412. */
export async function changeStrategy(
  db: Db,
  strategyGuid: string,
  input: StrategyChange,
  { origin, services }: StrategyContext,
  ifMatch?: IfMatch,
): Promise<number> {
  const known = await findKnownNames(db, input.steps, services)
  return inTransaction(db, async (tx) => {
    const held = await store.lockStrategy(tx, strategyGuid)
    if (!held) throw notFound('strategy')
    requireMatch(ifMatch, held.version)
    const trial = await findRunningTrial(tx, strategyGuid)
    if (trial !== undefined)
      throw new ApiError(
        'conflict',
        `The strategy is part of the running trial “${trial}”. Stop the trial before you change it.`,
      )
    const before = auditRecord((await store.findStrategy(tx, strategyGuid))!)
    const checks = new FieldErrors()
    const after = {
      name: input.name === undefined || input.name === null ? before.name : readName(input.name, checks),
      source: input.source === '' ? null : (input.source?.trim() ?? before.source),
      steps: input.steps ? readSteps(input.steps, known, checks).map(canonicalStep) : before.steps,
    }
    checks.throwIfAny()
    const running = input.running ?? false
    const changes = changesBetween(before, after)
    if (Object.keys(changes).length === 0 && !running) return held.version
    const version = held.version + 1
    await store.updateStrategy(tx, strategyGuid, { ...after, version, running })
    await store.insertSteps(tx, { strategyGuid, version }, after.steps)
    const sequence = held.eventSequence + 1
    if (running) changes['running'] = [null, true]
    await recordChange(
      tx,
      origin,
      { id: strategyGuid, code: held.code, version, sequence },
      'updated',
      changes,
    )
    return version
  })
}

/** Deletes a strategy that no client has and that was never used. Throws a 404, 409 or 412. */
export async function removeStrategy(
  db: Db,
  strategyGuid: string,
  origin: Origin,
  ifMatch?: IfMatch,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await store.lockStrategy(tx, strategyGuid)
    if (!held) throw notFound('strategy')
    requireMatch(ifMatch, held.version)
    const strategy = (await store.findStrategy(tx, strategyGuid))!
    if (strategy.clients > 0)
      throw new ApiError(
        'conflict',
        `${strategy.clients} parties use this strategy. Assign them another strategy first (PUT /clients/{clientGuid}/strategy).`,
      )
    if (await store.isStrategyUsed(tx, strategyGuid))
      throw new ApiError(
        'conflict',
        'Steps of this strategy have been taken, and the history of cases refers to them. It cannot be deleted.',
      )
    const trial = await findAnyTrial(tx, strategyGuid)
    if (trial !== undefined)
      throw new ApiError(
        'conflict',
        `The strategy is part of the trial “${trial}”. It can only be deleted where the trial is a draft that is deleted first.`,
      )
    await store.deleteStrategy(tx, strategyGuid)
    const gone = { code: null, name: null, source: null, steps: null }
    const changes = changesBetween({ code: held.code, ...auditRecord(strategy) }, gone)
    const { code, version, eventSequence } = held
    await recordChange(
      tx,
      origin,
      { id: strategyGuid, code, version, sequence: eventSequence + 1 },
      'deleted',
      changes,
    )
  })
}

const auditRecord = ({ name, source, steps }: StrategyItem) => ({
  name,
  source,
  steps: steps.map(canonicalStep),
})

async function recordChange(
  tx: Db,
  origin: Origin,
  { id, code, version, sequence }: { id: string; code: string; version: number; sequence: number },
  action: 'created' | 'updated' | 'deleted',
  changes: Change['changes'],
): Promise<void> {
  const data = { strategyGuid: id, strategy: code, strategyVersion: version }
  const type = `strategy.${action}` as const
  const change = { type, entityId: id, subject: id, sequence, data, changes }
  await insertRecords(tx, toRecords(origin, [change]))
}
