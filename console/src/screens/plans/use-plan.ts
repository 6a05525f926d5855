import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { reading } from '../../api/queries.ts'
import { userCulture } from '../../format/format.ts'
import { readNumber } from '../../format/numbers.ts'
import { takesBoth, type PlanChoice } from './plan-form.tsx'
import type { Deviations, ScheduleRow } from './plan-table.tsx'
import { computeInput, toMajor, type OwedCase, type PlanInput } from './plan-terms.ts'

const read = (text: string) => readNumber(text, userCulture()) ?? null

export const createPlanInput = (
  choice: PlanChoice,
  deviations: Deviations,
  currencyCode: string,
): PlanInput => {
  const both = takesBoth(choice.type)
  return {
    paymentPlanType: choice.type,
    numberOfPayments: both || choice.by === 'number' ? read(choice.number) : null,
    amount: both || choice.by === 'amount' ? read(choice.amount) : null,
    currencyCode,
    registrationFee: choice.type === 5 ? 0 : (read(choice.registrationFee) ?? 0),
    invoiceFee: choice.type === 5 ? 0 : (read(choice.invoiceFee) ?? 0),
    payments: Object.entries(deviations).map(([paymentNo, { dueDate, amount }]) => ({
      paymentNo: Number(paymentNo),
      ...(dueDate && { specifiedDueDate: `${dueDate}T00:00:00Z` }),
      ...(amount !== undefined && { specifiedAmount: amount }),
    })),
    cases: choice.cases,
  }
}

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

/** Calculated while the user types. A moment later the service calculates it, and its answer replaces ours. */
export function usePlan(
  debtorGuid: string,
  {
    owed,
    input,
    firstDueDays,
  }: { owed: OwedCase[] | undefined; input: PlanInput; firstDueDays?: number | undefined },
) {
  const key = JSON.stringify(input)
  const outcome = useMemo(
    () =>
      owed && owed.length > 0 ? computeInput(owed, JSON.parse(key) as PlanInput, firstDueDays) : undefined,
    [owed, key, firstDueDays],
  )
  const [asked] = useDebouncedValue(key, 400)
  const served = useQuery({
    ...reading('calculatePaymentPlan', { debtorGuid, body: JSON.parse(asked) as PlanInput }),
    enabled: outcome?.ok === true && asked === key,
    staleTime: 60_000,
  })
  const currency = input.currencyCode
  const local: ScheduleRow[] = outcome?.ok
    ? outcome.plan.rows.map((row) => ({
        paymentNo: row.paymentNo,
        dueDate: `${row.dueDate}T00:00:00Z`,
        instalment: toMajor(row.instalment, currency),
        interest: toMajor(row.interest, currency),
        fee: toMajor(row.fee, currency),
        amount: toMajor(row.amount, currency),
        balance: toMajor(row.balance, currency),
      }))
    : []
  const answer = asked === key ? served.data?.body.payments : undefined
  const differs =
    answer !== undefined &&
    (answer.length !== local.length ||
      answer.some(
        (row, index) => row.amount !== local[index]!.amount || row.dueDate !== local[index]!.dueDate,
      ))
  const rows = differs ? withBalance(answer!, local) : local
  return { outcome, rows, checked: answer !== undefined, differs, error: served.error }
}

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
