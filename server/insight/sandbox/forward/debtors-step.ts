/** The part of a sandbox's night in which its debtors act. It is a step of the day-end: done once per date. */
import { allAccessCodes } from '../../../../contract/access/access.ts'
import { addDays } from '../../../../core/calendar/calendar.ts'
import { fromMinor } from '../../../../core/money/money.ts'
import type { DayEndStep } from '../../../access/serve/slice.ts'
import { recordObjection } from '../../../cases/objections/objections.changes.ts'
import { registerPayments, type PaymentRequest } from '../../../payments/register-payments.ts'
import type { Db } from '../../../platform/database/transaction.ts'
import { agencyItself, type Caller, type Origin } from '../../../platform/http/caller.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { logCall } from '../../../work/calls.changes.ts'
import { answerDaysMax, drawAnswer, keepsPromise, paysInstalment, promiseDays } from './debtor-model.ts'
import type { AnswerKind, DebtorModel } from './debtor-model.ts'
import * as store from './debtors.store.ts'

export const debtorsStepName = 'sandbox-debtors'

export interface DebtorFigures {
  payments: number
  promises: number
  objections: number
  /** What the rules of the platform refused, such as a payment on a case that was closed meanwhile. */
  refused: number
}

const caller: Caller = { ...agencyItself, accessCodes: new Set(allAccessCodes) }

const none: DebtorFigures = { payments: 0, promises: 0, objections: 0, refused: 0 }

/** In one transaction, so that an interrupted night begins it anew. */
export const debtorsStep = (model: DebtorModel): DayEndStep => ({
  name: debtorsStepName,
  work: {
    none,
    count: async () => 0,
    run: async (tx, _state, origin) => {
      const figures = await act(tx, model, origin)
      return { figures, place: null, isDone: true, worked: 0 }
    },
  },
})

interface Act extends store.OpenClaim {
  kind: AnswerKind
  /** Minor units. */
  amount: bigint
  /** Unique among the acts of the date. */
  reason: string
}

async function act(tx: Db, model: DebtorModel, origin: Origin): Promise<DebtorFigures> {
  const acts = await listActs(tx, model, origin.businessDate)
  const figures = { ...none }
  for (const one of acts.filter(({ kind }) => kind === 'promise')) {
    await promise(tx, one, origin)
    figures.promises++
  }
  for (const { caseGuid } of acts.filter(({ kind }) => kind === 'object')) {
    const input = { matter: 'OBJECTION', kind: 'OTHER', reason: 'Simulated objection.' }
    await recordObjection(tx, caller, { caseGuid, input }, { origin })
    figures.objections++
  }
  const payments = acts.filter(({ kind }) => kind === 'full' || kind === 'part')
  const outcomes = await registerPayments(
    tx,
    caller,
    payments.map((one) => toPayment(one, origin.businessDate)),
    origin,
  )
  figures.refused = outcomes.filter((one) => one instanceof ApiError).length
  figures.payments = outcomes.length - figures.refused
  return figures
}

/** At most one act of a case on a date: a second payment would pay what the first has paid. */
async function listActs(tx: Db, model: DebtorModel, date: string): Promise<Act[]> {
  const byCase = new Map<string, Act>()
  const add = (one: Act) => {
    if (!byCase.has(one.caseGuid)) byCase.set(one.caseGuid, one)
  }
  for (const { planGuid, paymentNo, due, ...claim } of await store.listInstalments(tx, date))
    if (paysInstalment(model, planGuid, paymentNo))
      add({ ...claim, kind: 'part', amount: BigInt(due), reason: `plan/${planGuid}/${paymentNo}` })
  for (const { caseNumber, promised, ...claim } of await store.listPromises(tx, date))
    if (keepsPromise(model, caseNumber, date))
      add({ ...claim, kind: 'part', amount: least(promised, claim.owed), reason: `promise/${caseNumber}` })
  for (const { documentGuid, caseNumber, number, ageDays, ...claim } of await store.listLetters(
    tx,
    date,
    answerDaysMax,
  )) {
    const answer = drawAnswer(model, caseNumber, number)
    if (answer?.afterDays !== ageDays) continue
    const amount = answer.kind === 'part' ? takePart(claim.owed, answer.percent) : BigInt(claim.owed)
    add({ ...claim, kind: answer.kind, amount, reason: `letter/${documentGuid}/${claim.caseGuid}` })
  }
  return [...byCase.values()]
}

const least = (one: string, other: string): bigint =>
  BigInt(one) < BigInt(other) ? BigInt(one) : BigInt(other)

/** At least one minor unit. */
const takePart = (owed: string, percent: number): bigint => (BigInt(owed) * BigInt(percent)) / 100n || 1n

const toPayment = ({ caseGuid, currencyCode, amount, reason }: Act, valueDate: string): PaymentRequest => ({
  input: { caseGuid, currencyCode, amount: fromMinor(amount, currencyCode), valueDate },
  sourceReference: `sandbox/${valueDate}/${reason}`,
})

/** As a handler logs it after the debtor has called. */
async function promise(tx: Db, { caseGuid, amount, currencyCode }: Act, origin: Origin): Promise<void> {
  const input = {
    inbound: true,
    outcome: 'REACHED',
    rightParty: true,
    promisedAmount: fromMinor(amount, currencyCode),
    promisedDate: addDays(origin.businessDate, promiseDays),
  }
  await logCall(tx, caller, { caseGuid, input }, origin)
}
