import { Radio, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PaymentPlan } from '../../../../contract/plans/payment-plans.ts'
import type { PlanOutcome } from '../../../../core/plans/plan-terms.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { createPlanInput, type PlanChoice } from './plan-choice.ts'
import { describeInstalments } from './instalment-amount.ts'
import { planErrorMessage } from './plan-error.ts'
import { computeInput, toMajor } from './plan-terms.ts'
import { regularAmount, type PlanContext } from './use-plan.ts'

const types = [1, 2, 3, 4, 5]

interface PlanComparisonProps {
  debtorGuid: string
  context: PlanContext
  choice: PlanChoice
  currency: string
  onChoose: (type: number) => void
}

/** The types side by side on the same terms, without deviating payments. */
export function PlanComparison({ debtorGuid, context, choice, currency, onChoose }: PlanComparisonProps) {
  const { t } = useTranslation()
  const lines = useLines(debtorGuid, { context, choice, currency })
  return (
    <Panel title={t('plan.compare')}>
      <TableFrame title={t('plan.compare')}>
        <thead>
          <tr>
            <th scope="col">{t('plan.type')}</th>
            <th scope="col" className="amount">
              {t('plan.each')}
            </th>
            <th scope="col">{t('plan.last')}</th>
            <th scope="col" className="amount">
              {t('plan.lastAmount')}
            </th>
            <th scope="col" className="amount">
              {t('plan.cost')}
            </th>
            <th scope="col" className="amount">
              {t('plan.total')}
            </th>
            <th scope="col" className="amount">
              {t('plan.annual')}
            </th>
          </tr>
        </thead>
        <tbody className="plan-compared">
          {lines.map(({ type, figures, refusal }) => (
            <tr key={type} data-chosen={type === choice.type || undefined} onClick={() => onChoose(type)}>
              <td>
                <Radio
                  size="xs"
                  name="plan-type"
                  label={translateLabel(`lookup.paymentplantype.${type}`, String(type))}
                  checked={type === choice.type}
                  onChange={() => onChoose(type)}
                />
              </td>
              {figures === undefined ? (
                <td colSpan={6}>
                  <Text size="sm" c="dimmed">
                    {refusal}
                  </Text>
                </td>
              ) : (
                <Figures {...figures} currency={currency} />
              )}
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}

interface PlanFigures {
  each: string
  payments: number
  lastDueDate: string
  lastAmount: number
  cost: number
  total: number
  annual: number | null
}

function Figures({
  each,
  payments,
  lastDueDate,
  lastAmount,
  cost,
  total,
  annual,
  currency,
}: PlanFigures & { currency: string }) {
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <>
      <td className="amount">
        {formatNumber(payments)} × {each}
      </td>
      <td>{formatDateTime(lastDueDate)}</td>
      <td className="amount">{money(lastAmount)}</td>
      <td className="amount">{money(cost)}</td>
      <td className="amount">{money(total)}</td>
      <td className="amount">{annual === null ? '–' : `${formatNumber(annual)} %`}</td>
    </>
  )
}

/** Each type, calculated here at once, and by the service a moment later. */
function useLines(
  debtorGuid: string,
  { context, choice, currency }: Pick<PlanComparisonProps, 'context' | 'choice' | 'currency'>,
) {
  const asked = types.map((type) => {
    const input = createPlanInput({ ...choice, type }, {}, currency)
    const outcome = context.owed?.length ? computeInput(context.owed, input, context) : undefined
    return { type, input, outcome }
  })
  const key = JSON.stringify(asked.map(({ input }) => input))
  const [settled] = useDebouncedValue(key, 400)
  const served = useQueries({
    queries: asked.map(({ input, outcome }) => ({
      ...reading('calculatePaymentPlan', { debtorGuid, body: input }),
      enabled: outcome?.ok === true && settled === key,
      staleTime: 60_000,
    })),
  })
  return asked.map(({ type, outcome }, index) => ({
    type,
    figures: outcome?.ok ? toFigures(outcome, { type, currency }, served[index]?.data?.body) : undefined,
    refusal: outcome && !outcome.ok ? planErrorMessage(outcome.error, currency) : '',
  }))
}

/** The answer of the service where it is there. */
function toFigures(
  { plan }: PlanOutcome & { ok: true },
  { type, currency }: { type: number; currency: string },
  served: PaymentPlan | undefined,
): PlanFigures {
  const major = (minor: bigint) => toMajor(minor, currency)
  const money = (amount: number) => formatMoney(amount, currency)
  const last = plan.rows.at(-1)!
  if (served) {
    const final = served.payments.at(-1)!
    return {
      each: describeInstalments(
        served.payments,
        { type, regular: regularAmount(served) ?? major(plan.levelAmount) },
        money,
      ),
      payments: served.numberOfPayments,
      lastDueDate: final.dueDate,
      lastAmount: final.amount,
      cost: served.totalInterest + served.totalFee,
      total: served.totalAmount,
      annual: served.annualPercentage,
    }
  }
  return {
    each: describeInstalments(
      plan.rows.map(({ amount }) => ({ amount: major(amount) })),
      { type, regular: major(plan.levelAmount) },
      money,
    ),
    payments: plan.rows.length,
    lastDueDate: `${last.dueDate}T00:00:00Z`,
    lastAmount: major(last.amount),
    cost: major(plan.totals.interest + plan.totals.fee),
    total: major(plan.totals.amount),
    annual: plan.annualPercentage,
  }
}
