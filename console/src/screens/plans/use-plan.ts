import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reading } from '../../api/queries.ts'
import type { ScheduleRow } from './plan-table.tsx'
import type { PaymentPlan as ServedPlan } from '../../../../contract/plans/payment-plans.ts'
import type { PaymentPlan } from '../../../../core/plans/plan-terms.ts'
import { computeInput, toMajor, type OwedCase, type PlanInput } from './plan-terms.ts'

/** The debts of the chosen cases, each with its explanation. */
export function useOwed(debtorGuid: string, caseGuids: readonly string[]) {
  const explained = useQueries({
    queries: caseGuids.map((caseGuid) => reading('explainCase', { debtorGuid, caseGuid })),
  })
  const records = useQueries({ queries: caseGuids.map((caseGuid) => reading('getCaseByGuid', { caseGuid })) })
  const error = [...explained, ...records].find((query) => query.error)?.error ?? null
  const owed = caseGuids.flatMap((_guid, index): OwedCase[] => {
    const explanation = explained[index]?.data?.body
    const record = records[index]?.data?.body
    return explanation && record ? [{ explanation, record }] : []
  })
  return { owed: owed.length === caseGuids.length ? owed : undefined, error }
}

/** What the browser knows of the terms beside the input. */
export interface PlanContext {
  owed: OwedCase[] | undefined
  /** Days to the first payment by the client's terms. */
  firstDueDays: number | undefined
  /** The country whose business days count. */
  country: string | null
}

/** Calculated while the user types. A moment later the service calculates it, and its answer replaces ours. */
export function usePlan(debtorGuid: string, { owed, firstDueDays, country }: PlanContext, input: PlanInput) {
  const key = JSON.stringify(input)
  const outcome = useMemo(
    () =>
      owed && owed.length > 0
        ? computeInput(owed, JSON.parse(key) as PlanInput, { firstDueDays, country })
        : undefined,
    [owed, key, firstDueDays, country],
  )
  const [asked] = useDebouncedValue(key, 400)
  const served = useQuery({
    ...reading('calculatePaymentPlan', { debtorGuid, body: JSON.parse(asked) as PlanInput }),
    enabled: outcome?.ok === true && asked === key,
    staleTime: 60_000,
  })
  const local = outcome?.ok ? toRows(outcome.plan, input.currencyCode) : []
  const body = asked === key ? served.data?.body : undefined
  const answer = body?.payments
  const differs =
    answer !== undefined &&
    (answer.length !== local.length ||
      answer.some(
        (row, index) => row.amount !== local[index]!.amount || row.dueDate !== local[index]!.dueDate,
      ))
  const rows = differs ? withBalance(answer!, local) : local
  return { outcome, rows, body, checked: answer !== undefined, differs, error: served.error }
}

const toRows = ({ rows }: PaymentPlan, currency: string): ScheduleRow[] =>
  rows.map((row) => ({
    paymentNo: row.paymentNo,
    dueDate: `${row.dueDate}T00:00:00Z`,
    instalment: toMajor(row.instalment, currency),
    interest: toMajor(row.interest, currency),
    fee: toMajor(row.fee, currency),
    amount: toMajor(row.amount, currency),
    balance: toMajor(row.balance, currency),
  }))

/** D18 returns no balance: it is the debt less the instalments. */
function withBalance(
  payments: readonly Omit<ScheduleRow, 'balance'>[],
  local: readonly ScheduleRow[],
): ScheduleRow[] {
  let left = (local[0]?.balance ?? 0) + (local[0]?.instalment ?? 0)
  return payments.map((payment) => {
    left -= payment.instalment
    return { ...payment, balance: Math.max(0, left) }
  })
}

/** What a plan of the service pays each time, apart from payments with an amount of their own. */
export const regularAmount = ({ periods }: Pick<ServedPlan, 'periods'>): number | undefined =>
  periods.find(({ paymentType }) => paymentType !== 3)?.amount
