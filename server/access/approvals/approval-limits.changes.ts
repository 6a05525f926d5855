/** Limits above which a role needs a second person. */
import {
  actsAlone,
  approvalActs,
  type ApprovalAct,
  type ApprovalLimit,
  type ApprovalLimitChange,
  type ApprovalLimitInput,
} from '../../../contract/access/approvals.ts'
import { isCurrency, normaliseCurrency } from '../../../core/identity/codes.ts'
import { countDecimals, fromMinor, readAmount } from '../../../core/money/money.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import {
  deleteTracked,
  insertTracked,
  updateTracked,
  type TrackedTable,
} from '../../platform/events/tracked-row.ts'
import type { Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, invalid, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'

const approvalLimitTable: TrackedTable = {
  table: 'approval_limit',
  entity: 'approvallimit',
  guidName: 'approvalLimitGuid',
}

/** As stored: the amounts in minor units. */
interface LimitRecord {
  act: ApprovalAct
  userRole: number
  currencyCode: string | null
  amount: number
  userAmount: number | null
  periodDays: number | null
  daysBack: number | null
}
type StoredLimit = LimitRecord & { approvalLimitGuid: string; version: number }

const usualPeriod = 30

const toMembers = ({ amount, userAmount, ...limit }: StoredLimit) => {
  const show = (minor: number | null) =>
    limit.currencyCode === null || minor === null ? null : fromMinor(BigInt(minor), limit.currencyCode)
  return { ...limit, amount: show(amount), userAmount: show(userAmount) }
}

async function findStored(db: Db, guid: string, { lock = false } = {}): Promise<StoredLimit> {
  const [row] = await db<StoredLimit[]>`
    select id as "approvalLimitGuid", act, user_role as "userRole", currency_code as "currencyCode", amount::float8 as amount,
      user_amount::float8 as "userAmount", period_days as "periodDays", days_back as "daysBack", version
    from approval_limit where id = ${guid} ${lock ? db`for update` : db``}`
  if (!row) throw notFound('limit')
  return row
}

/** Throws a 404. */
export const requireLimit = async (db: Db, guid: string): Promise<ApprovalLimit & { version: number }> =>
  toMembers(await findStored(db, guid))

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== ''

/** Throws a 400. */
function readInput(input: ApprovalLimitInput): LimitRecord {
  const checks = new FieldErrors()
  const act = approvalActs.find((one) => one === input.act?.trim().toUpperCase())
  if (act === undefined) checks.add('act', `must be one of ${approvalActs.join(', ')}.`)
  if (typeof input.userRole !== 'number')
    checks.add('userRole', 'is required: the role that the limit is for.')
  const currencyCode = normaliseCurrency(input.currencyCode ?? '') || null
  const isDated = act === 'BACKDATED_PAYMENT'
  if (isDated && !isGiven(input.daysBack))
    checks.add('daysBack', 'is required: by how many days the role alone dates a payment back.')
  if (!isDated && isGiven(input.daysBack))
    checks.add('daysBack', 'must be empty: only a limit of BACKDATED_PAYMENT is of days.')
  if (act === 'CLIENT_ACCOUNT' || isDated) {
    const why = isDated ? 'the limit is of days' : 'a change of an account has no amount'
    for (const name of ['currencyCode', 'amount', 'userAmount', 'periodDays'] as const)
      if (isGiven(input[name])) checks.add(name, `must be empty: ${why}.`)
  } else if (currencyCode !== null && !isCurrency(currencyCode))
    checks.add('currencyCode', 'must be an ISO 4217 currency code, for example SEK or EUR.')
  else if (currencyCode === null && isGiven(input.amount) && input.amount !== 0)
    checks.add('currencyCode', 'is required with an amount: the currency that it is in.')
  checks.throwIfAny()
  const limit = { act: act!, userRole: input.userRole!, currencyCode }
  return { ...limit, ...readSums(input, limit), daysBack: isDated ? input.daysBack! : null }
}

/** The amounts and the period of a limit. Throws a 400. */
function readSums(
  input: Pick<ApprovalLimitInput, 'amount' | 'userAmount' | 'periodDays'>,
  { act, currencyCode }: Pick<LimitRecord, 'act' | 'currencyCode'>,
): Pick<LimitRecord, 'amount' | 'userAmount' | 'periodDays'> {
  const sums = currencyCode !== null && !actsAlone.includes(act)
  const checks = new FieldErrors()
  for (const name of ['userAmount', 'periodDays'] as const)
    if (!sums && isGiven(input[name]))
      checks.add(
        name,
        actsAlone.includes(act) ? `must be empty: acts of ${act} do not add up.` : 'needs a currency.',
      )
  checks.throwIfAny()
  const amount = readLimit(input.amount, 'amount', currencyCode)
  if (!sums) return { amount, userAmount: null, periodDays: null }
  const userAmount = isGiven(input.userAmount)
    ? readLimit(input.userAmount, 'userAmount', currencyCode)
    : null
  if (userAmount !== null && userAmount < amount)
    throw invalid({ userAmount: ['must not be below the amount of one case.'] })
  return { amount, userAmount, periodDays: input.periodDays ?? usualPeriod }
}

/** Throws a 400, or a 409 when the role has the limit already. */
export async function addLimit(
  db: Db,
  input: ApprovalLimitInput,
  origin: Origin,
): Promise<ApprovalLimit & { version: number }> {
  const members = readInput(input)
  const guid = makeId()
  const { currencyCode } = members
  const more = { minor_per_unit: currencyCode === null ? 1 : 10 ** countDecimals(currencyCode) }
  try {
    await inTransaction(db, (tx) => insertTracked(tx, approvalLimitTable, { guid, members, more }, origin))
  } catch (error) {
    if (violatedUniqueness(error) !== 'approval_limit_key') throw error
    throw new ApiError(
      'conflict',
      'The role has a limit for this act and currency already. Change that one.',
      {
        errors: { userRole: ['has this limit already.'] },
      },
    )
  }
  return toMembers({ approvalLimitGuid: guid, ...members, version: 1 })
}

/** Minor units. */
function readLimit(
  given: number | null | undefined,
  name: 'amount' | 'userAmount',
  currencyCode: string | null,
): number {
  if (currencyCode === null) return 0
  const checks = new FieldErrors()
  const read = readAmount(given ?? 0, currencyCode)
  if (!read.ok) checks.add(name, read.message)
  else if (read.minor < 0n) checks.add(name, 'must not be below zero.')
  checks.throwIfAny()
  return read.ok ? Number(read.minor) : 0
}

/** Returns the version after the change. Throws a 400, 404 or 412. */
export const changeLimit = (
  db: Db,
  { guid, input, ifMatch }: { guid: string; input: ApprovalLimitChange; ifMatch: IfMatch },
  origin: Origin,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { approvalLimitGuid: _, version, ...before } = await findStored(tx, guid, { lock: true })
    requireMatch(ifMatch, version)
    const sums = [input.amount, input.userAmount, input.periodDays]
    if (before.daysBack !== null) {
      if (sums.some(isGiven)) throw invalid({ amount: ['must be empty: the limit is of days.'] })
      const after = { ...before, daysBack: input.daysBack ?? before.daysBack }
      return updateTracked(tx, approvalLimitTable, { guid, before, version, after }, origin)
    }
    if (isGiven(input.daysBack))
      throw invalid({ daysBack: ['must be empty: only a limit of BACKDATED_PAYMENT is of days.'] })
    if (sums.every((one) => !isGiven(one))) return version
    if (before.currencyCode === null)
      throw new ApiError(
        'unprocessable',
        'A limit without a currency has no amount. Delete it, and make one with a currency.',
      )
    const shown = toMembers({ approvalLimitGuid: guid, version, ...before })
    const given = {
      amount: input.amount ?? shown.amount,
      userAmount: input.userAmount ?? shown.userAmount,
      periodDays: input.periodDays ?? before.periodDays,
    }
    const after = { ...before, ...readSums(given, before) }
    return updateTracked(tx, approvalLimitTable, { guid, before, version, after }, origin)
  })

/** Throws a 404 or 412. */
export const removeLimit = (
  db: Db,
  { guid, ifMatch }: { guid: string; ifMatch: IfMatch },
  origin: Origin,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { approvalLimitGuid: _, version, ...before } = await findStored(tx, guid, { lock: true })
    requireMatch(ifMatch, version)
    await deleteTracked(tx, approvalLimitTable, { guid, before }, origin)
  })
