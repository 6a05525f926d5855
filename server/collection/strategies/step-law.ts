/** Asks the law about the steps of many cases, set-based (core/law). */
import { judgeStep } from '../../../core/law/judge-step.ts'
import type { StepAction } from '../../../core/cases/strategies.ts'
import { readAmount } from '../../../core/money/money.ts'
import { texts } from '../../../core/text/texts.ts'
import type { CaseRow } from '../../claims/case-lock.ts'
import { computeFeeAmount, findFeeFacts } from '../../ledger/fees.store.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findFeeTables, findLegalCases } from '../../ledger/legal-cases.store.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { DueStep } from './strategies.store.ts'

/** What a step may charge, or why it must not be taken. */
export interface StepLaw {
  refused: string | null
  /** Minor units by fee type, with the rule that limits it. */
  fees: ReadonlyMap<string, { amount: bigint; rule: string | null }>
  /** The fees that the law left out, as the event of the step tells. */
  leftOut: { action: string; rule: string | null; reason: string }[]
}

/** The law says nothing about other statuses. */
const isAsked = (action: StepAction) =>
  action.kind !== 'status' || action.status === 'LEGAL' || action.status === 'ENFORCEMENT'

const unconcerned: StepLaw = { refused: null, fees: new Map(), leftOut: [] }

/** The law of each step by case guid. Steps that only change a status are not asked about. */
export async function judgeSteps(
  tx: Db,
  steps: readonly { due: DueStep; row: CaseRow }[],
  date: string,
): Promise<(caseGuid: string) => StepLaw> {
  const asking = steps.filter(({ due }) => due.actions.some(isAsked))
  if (asking.length === 0) return () => unconcerned
  const guids = asking.map(({ row }) => row.caseGuid)
  const cases = await findLegalCases(tx, guids, date)
  const unaddressable = await findUnaddressable(tx, asking)
  const tables = await findFeeTables(
    tx,
    [...cases.values()].map(({ country }) => country),
    date,
  )
  const charging = asking.filter(({ due }) => due.actions.some(({ kind }) => kind === 'fee'))
  const facts = await findFeeFacts(
    tx,
    charging.map(({ row }) => row),
    { from: date, to: date },
  )
  const laws = asking.map(({ due, row }): [string, StepLaw] => {
    const one = cases.get(row.caseGuid)!
    if (unaddressable.has(due.debtorGuid))
      return [row.caseGuid, { ...unconcerned, refused: texts.en.law['contact.protectedIdentity'] }]
    try {
      const verdict = judgeStep(one, due.actions, {
        date,
        fees: tables(one.country),
        amountOn: (feeType) => readFee(row, computeFeeAmount(facts.get(row.caseGuid)!, feeType, date)),
      })
      const about = { language: 'en', currency: row.currencyCode } as const
      return [
        row.caseGuid,
        {
          refused: verdict.refused && describeRefusal(verdict.refused, about),
          fees: verdict.fees,
          leftOut: verdict.leftOut.map((left) => ({
            action: left.action,
            rule: left.rule?.code ?? null,
            reason: describeRefusal(left, about),
          })),
        },
      ]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return [row.caseGuid, { ...unconcerned, refused: error.message }]
    }
  })
  const byCase = new Map(laws)
  return (caseGuid) => byCase.get(caseGuid) ?? unconcerned
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
