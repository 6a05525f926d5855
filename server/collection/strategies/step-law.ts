/** Asks the law about the steps of many cases, set-based (core/law). */
import { joinLegalCases } from '../../../core/law/bundling.ts'
import { judgeStep, type StepVerdict } from '../../../core/law/judge-step.ts'
import type { LegalCase } from '../../../core/law/legal-case.ts'
import { judgedStatuses } from '../../../core/law/permissions.ts'
import type { Verdict } from '../../../core/law/verdict.ts'
import type { StepAction } from '../../../core/cases/strategies.ts'
import { readAmount } from '../../../core/money/money.ts'
import { texts } from '../../../core/text/texts.ts'
import type { CaseRow } from '../../claims/case-lock.ts'
import { computeFeeAmount, findFeeFacts, type FeeFacts } from '../../ledger/fees.store.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findReader } from '../../platform/dictionary/reader.ts'
import { findFeeTables, findLegalCases } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { DueStep } from './due-steps.store.ts'

/** What a step may charge, or why it must not be taken. */
export interface StepLaw {
  refused: string | null
  /** The refusal by a rule. */
  verdict?: Verdict
  /** Minor units by fee type, with the rule that limits it. */
  fees: ReadonlyMap<string, { amount: bigint; rule: string | null }>
  /** The fees that the law left out, as the event of the step tells. */
  leftOut: { action: string; rule: string | null; reason: string }[]
}

/** The law says nothing about other statuses. */
const isAsked = (action: StepAction) => action.kind !== 'status' || judgedStatuses.has(action.status)

const unconcerned: StepLaw = { refused: null, fees: new Map(), leftOut: [] }

type Step = { due: DueStep; row: CaseRow }

/** Answers for the steps that `judgeSteps` was asked about. */
export interface StepJudge {
  /** The law of the step of one case. */
  judgeOne(caseGuid: string): StepLaw
  /** True if something about the debtor or the claim, such as a dispute, keeps it from being demanded with others. */
  isApart(caseGuid: string): boolean
  /** The law of one step for cases together. The first one bears the fee. */
  judgeJointly(steps: readonly Step[], isJointPrincipal: boolean): JointLaw
}

export interface JointLaw extends StepLaw {
  /** The principal of all cases, in minor units, where fees are judged by it. */
  jointPrincipal: bigint | null
}

/** Reads what the law asks about, for many steps at once. Steps that only change a status are not asked about. */
export async function judgeSteps(tx: Db, steps: readonly Step[], date: string): Promise<StepJudge> {
  const asking = steps.filter(({ due }) => due.actions.some(isAsked))
  const guids = asking.map(({ row }) => row.caseGuid)
  const cases = await findLegalCases(tx, guids, date)
  const unaddressable = await findUnaddressable(tx, asking)
  const tables = await findFeeTables(
    tx,
    [...cases.values()].map(({ country }) => country),
    date,
  )
  const charging = asking.filter(({ due }) => due.actions.some(({ kind }) => kind === 'fee'))
  const facts =
    charging.length === 0
      ? new Map<string, FeeFacts>()
      : await findFeeFacts(
          tx,
          charging.map(({ row }) => row),
          { from: date, to: date },
        )
  const judgeCase = ({ due, row }: Step, one: LegalCase): StepLaw => {
    if (unaddressable.has(due.debtorGuid))
      return { ...unconcerned, refused: texts.en.law['contact.protectedIdentity'] }
    const amountOn = (feeType: string) => {
      const known = facts.get(row.caseGuid)!
      const principal = Number(one.jointPrincipal ?? known.principal)
      return readFee(row, computeFeeAmount({ ...known, principal }, feeType, date))
    }
    try {
      return describeVerdict(
        judgeStep(one, due.actions, { date, fees: tables(one.country), amountOn }),
        row.currencyCode,
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { ...unconcerned, refused: error.message }
    }
  }
  const own = new Map(
    asking.map((step) => [step.row.caseGuid, judgeCase(step, cases.get(step.row.caseGuid)!)]),
  )
  return {
    judgeOne: (caseGuid) => own.get(caseGuid) ?? unconcerned,
    isApart: (caseGuid) => (cases.get(caseGuid)?.circumstances.length ?? 0) > 0,
    judgeJointly: ([bearing, ...others], isJointPrincipal) => {
      const legal = others.map(({ row }) => cases.get(row.caseGuid)!)
      const joint = joinLegalCases(cases.get(bearing!.row.caseGuid)!, legal, isJointPrincipal)
      return { ...judgeCase(bearing!, joint), jointPrincipal: joint.jointPrincipal ?? null }
    },
  }
}

function describeVerdict({ refused, fees, leftOut }: StepVerdict, currency: string): StepLaw {
  const about = { reader: findReader('en'), currency, isStored: true }
  return {
    refused: refused && describeRefusal(refused, about),
    ...(refused && { verdict: refused }),
    fees,
    leftOut: leftOut.map((left) => ({
      action: left.action,
      rule: left.rule?.code ?? null,
      reason: describeRefusal(left, about),
    })),
  }
}

/** The fee in minor units. Zero when neither the client's terms nor a statute sets one. */
function readFee(row: CaseRow, amount: number | null): bigint {
  if (amount === null || amount === 0) return 0n
  const read = readAmount(amount, row.currencyCode)
  if (read.ok && read.minor > 0n) return read.minor
  throw new ApiError('unprocessable', `The fee of ${amount} ${row.currencyCode} cannot be booked.`)
}

/** The debtors to whom a letter would go and whose protected identity leaves no address to print. */
async function findUnaddressable(tx: Db, steps: readonly { due: DueStep }[]): Promise<Set<string>> {
  const debtorGuids = steps.flatMap(({ due }) =>
    due.actions.some(({ kind }) => kind === 'letter') ? [due.debtorGuid] : [],
  )
  if (debtorGuids.length === 0) return new Set()
  const rows = await tx<{ id: string }[]>`
    select id from debtor where id = any(${debtorGuids}::uuid[]) and protected_identity and forwarding_address is null`
  return new Set(rows.map(({ id }) => id))
}
