/**
 * Creates payouts: computes what clients are owed, books it and writes the file for the bank, in one
 * transaction.
 */
import type { PayoutDue, PayoutInput } from '../../../contract/treasury/payouts.ts'
import { countDecimals, fromMinor } from '../../../core/money/money.ts'
import { changedSince, requireSecondPerson, type ActOrigin } from '../../access/approvals/second-person.ts'
import { readCurrency, readDate } from '../../claims/case-inputs.rules.ts'
import { holdDate } from '../../ledger/ledger.store.ts'
import { makeId } from '../../platform/database/make-id.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { initialChanges, insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, writeDay } from '../../platform/http/errors.ts'
import { payoutLock } from './count-held-money.ts'
import { writePain001 } from './pain001.ts'
import { findPayoutChange, toRequestedLine } from './requested-payout.ts'
import * as store from './payouts.store.ts'

/**
 * Returns the batch's guid. Throws a 422 when the agency has no account, or no client with an account is owed
 * money.
 */
export function makePayout(
  db: Db,
  caller: Pick<Caller, 'role' | 'language'>,
  input: PayoutInput,
  origin: ActOrigin,
): Promise<string> {
  return inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${payoutLock})`
    await holdDate(tx)
    const [clock] = await tx<{ today: string }[]>`select business_date as today from business_clock`
    const { today } = clock!
    requireDayToCome(input, today, { origin, caller })
    const { currencyCode, executionDate } = readInput(input, today, caller)
    const agency = await store.findPayingAgency(tx)
    if (agency.account === null)
      throw new ApiError(
        'unprocessable',
        'The agency has no bank account to pay from. Enter one in the agency’s terms (form client/terms, bankAccountNo) first.',
      )
    const payouts = payable(await store.listDueCases(tx, currencyCode, today))
    if (payouts.length === 0)
      throw new ApiError(
        'unprocessable',
        `No client with a bank account is owed anything in ${currencyCode} on ${writeDay(today, caller.language)}. The list of due payouts (/payouts/due) names clients without an account and clients who owe the agency.`,
      )
    const amount = payouts.reduce((sum, one) => sum + BigInt(one.amount), 0n)
    const requested = {
      account: agency.account,
      lines: payouts.map((one) => toRequestedLine(one, currencyCode)),
    }
    await requireSecondPerson(tx, caller, origin, {
      act: 'PAYOUT',
      value: { amount, currencyCode },
      pinned: { ...input, ...requested },
      findChange: (before) =>
        findPayoutChange(before, requested, { currencyCode, language: caller.language }),
    })
    const batch = {
      id: makeId(),
      currencyCode,
      minorPerUnit: 10 ** countDecimals(currencyCode),
      businessDate: today,
      executionDate,
      account: agency.account,
      createdBy: origin.actorId,
    }
    const number = await store.insertBatch(tx, batch, payouts)
    await store.updateContent(tx, batch.id, writeContent({ ...batch, number, agency: agency.name }, payouts))
    await recordPayout(tx, { batchGuid: batch.id, number, currencyCode, payouts: payouts.length }, origin)
    return batch.id
  })
}

/** What was approved cannot be paid on a day that has passed meanwhile. */
function requireDayToCome(
  { executionDate }: PayoutInput,
  today: string,
  { origin, caller }: { origin: ActOrigin; caller: Pick<Caller, 'language'> },
): void {
  if (origin.approved?.act !== 'PAYOUT' || !executionDate || executionDate.slice(0, 10) >= today) return
  throw changedSince(`It was to be paid on ${writeDay(executionDate.slice(0, 10), caller.language)}.`)
}

function readInput(
  input: PayoutInput,
  today: string,
  { language }: Pick<Caller, 'language'>,
): { currencyCode: string; executionDate: string } {
  const checks = new FieldErrors(language)
  const currencyCode = input.currencyCode ? readCurrency(input.currencyCode, null, checks) : null
  if (!input.currencyCode) checks.add('currencyCode', 'is required: a payout has one currency.')
  const executionDate = readDate(input.executionDate, 'executionDate', checks) ?? today
  if (executionDate < today)
    checks.add('executionDate', `must not be before the business date, ${checks.day(today)}.`)
  checks.throwIfAny()
  return { currencyCode: currencyCode!, executionDate }
}

/** Whether a payout includes the client. */
const isPaid = ({ account, amount }: store.DueClient): boolean => account !== null && amount > 0

interface Payable extends store.NewPayout {
  clientName: string
}

/** Clients that are owed money and have an account. */
const payable = (due: readonly store.DueCases[]): Payable[] =>
  due.filter(isPaid).map(({ account, byCase, ...one }, index) => ({
    ...one,
    cases: byCase,
    account: account!,
    id: makeId(),
    number: index + 1,
    transactionId: makeId(),
  }))

/** Clients with a balance in the currency that the payout leaves out. */
export const listLeftOut = (due: readonly store.DueClient[], currencyCode: string): store.LeftOut =>
  due
    .filter(({ account, amount }) => (account === null && amount > 0) || amount < 0)
    .map(({ clientGuid, clientName, amount }) => ({
      clientGuid,
      clientName,
      amount: fromMinor(BigInt(amount), currencyCode),
      reason: amount < 0 ? 'OWES_US' : 'NO_ACCOUNT',
    }))

/** Amounts due and left out, by currency, in units of the currency. */
export const dueByCurrency = (due: readonly store.DueClient[]): PayoutDue[] =>
  [...Map.groupBy(due, ({ currencyCode }) => currencyCode)].map(([currencyCode, own]) => {
    const paid = own.filter(isPaid)
    const out = (amount: number) => fromMinor(BigInt(amount), currencyCode)
    return {
      currencyCode,
      amount: out(paid.reduce((sum, { amount }) => sum + amount, 0)),
      lines: paid.map(({ clientGuid, clientName, account, amount, cases }) => ({
        clientGuid,
        clientName,
        account: account!,
        amount: out(amount),
        cases,
      })),
      leftOut: listLeftOut(own, currencyCode),
    }
  })

function writeContent(
  batch: store.NewBatch & { number: number; agency: string },
  payouts: readonly Payable[],
): string {
  const messageId = `FORDRA-${batch.businessDate.replaceAll('-', '')}-${batch.number}`
  return writePain001({
    messageId,
    createdAt: new Date().toISOString(),
    executionDate: batch.executionDate,
    currencyCode: batch.currencyCode,
    debtorName: batch.agency,
    account: batch.account,
    transfers: payouts.map(({ number, amount, clientName, account }) => ({
      endToEndId: `${messageId}-${number}`,
      amount: BigInt(amount),
      creditorName: clientName,
      account,
      message: `Collected money ${batch.businessDate}, payout ${batch.number}`,
    })),
  })
}

async function recordPayout(
  tx: Db,
  made: { batchGuid: string; number: number; currencyCode: string; payouts: number },
  origin: Origin,
): Promise<void> {
  const { batchGuid, ...rest } = made
  const record: Change = {
    type: 'payout.created',
    entityId: batchGuid,
    subject: batchGuid,
    sequence: 1,
    data: { payoutBatchGuid: batchGuid, currencyCode: rest.currencyCode },
    changes: initialChanges(rest),
  }
  await insertRecords(tx, toRecords(origin, [record]))
}
