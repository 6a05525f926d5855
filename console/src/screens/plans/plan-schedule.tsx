import { Alert, Badge, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllPlansItem } from '../../../../contract/plans/all-plans.ts'
import type { PaymentPlan, PlanPayment } from '../../../../contract/plans/payment-plans.ts'
import { useBusinessDate } from '../../api/business-date.ts'
import { api } from '../../api/client.ts'
import { isProblem } from '../../api/queries.ts'
import { ApprovalRequest } from '../../forms/approval-request.tsx'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { refreshPlan } from './plan-changes.ts'
import { PlanTable, type Deviation, type Deviations } from './plan-table.tsx'
import { readDeviations, isOpenPayment, toPlanPayments, toSchedule } from './plan-terms.ts'

interface PlanScheduleProps {
  plan: AllPlansItem
  record: PaymentPlan
  etag: string | undefined
}

/** The schedule with the state of each payment. Unpaid ones can get another date or amount (D16). */
export function PlanSchedule({ plan, record, etag }: PlanScheduleProps) {
  const { t } = useTranslation()
  const mayWrite = useMay('paymentplan.write')
  const work = useWork()
  const [edited, setEdited] = useState<Deviations>()
  const [editing, setEditing] = useState<number>()
  const stored = readDeviations(record)
  const deviations = edited ?? stored
  const payments = new Map(record.payments.map((payment) => [payment.paymentNo, payment]))
  const isOpen = (paymentNo: number) => {
    const payment = payments.get(paymentNo)
    return payment !== undefined && isOpenPayment(payment)
  }
  const deviate = (paymentNo: number, deviation: Deviation | undefined) => {
    const { [paymentNo]: _former, ...others } = deviations
    setEdited(deviation ? { ...others, [paymentNo]: deviation } : others)
  }
  const { debtorGuid, paymentPlanGuid: paymentplanGuid } = plan
  const change = { payments: toPlanPayments(deviations, isOpen) }
  const store = async () => {
    try {
      await api.updatePaymentPlan(
        { debtorGuid, paymentplanGuid, body: change },
        etag === undefined ? {} : { ifMatch: etag },
      )
    } finally {
      // Reloads after success and refusal; the input stays beside it.
      await refreshPlan()
    }
    setEdited(undefined)
    noticeDone(t('form.stored'))
  }
  const rows = toSchedule(record).map((row) => {
    const { amount, dueDate } = edited?.[row.paymentNo] ?? {}
    return {
      ...row,
      ...(amount !== undefined && { amount }),
      ...(dueDate !== undefined && { dueDate: `${dueDate}T00:00:00Z` }),
    }
  })
  return (
    <Panel
      title={t('plan.schedule')}
      actions={
        mayWrite &&
        plan.active !== 0 &&
        !edited && (
          <Button size="xs" variant="default" className="no-print" onClick={() => setEdited(stored)}>
            {t('plan.edit')}
          </Button>
        )
      }
    >
      <Refusal
        error={work.error}
        debtorGuid={debtorGuid}
        wanted={{ paymentplanGuid, ...change }}
        onRequested={() => setEdited(undefined)}
      />
      {edited && (
        <Group gap="xs" mb="sm">
          <Button
            size="xs"
            loading={work.busy}
            disabled={editing !== undefined}
            onClick={() => void work.run(store)}
          >
            {t('action.save')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setEdited(undefined)
              setEditing(undefined)
            }}
          >
            {t('action.cancel')}
          </Button>
        </Group>
      )}
      <PlanTable
        rows={rows}
        currency={record.currencyCode}
        deviations={deviations}
        onDeviate={edited && deviate}
        editing={editing}
        onEdit={setEditing}
        isOpen={isOpen}
        stateCell={(paymentNo) => (
          <PaymentState plan={plan} payment={payments.get(paymentNo)!} currency={record.currencyCode} />
        )}
      />
      <LeaveGuard
        active={
          editing !== undefined || (edited !== undefined && JSON.stringify(edited) !== JSON.stringify(stored))
        }
      />
    </Panel>
  )
}

interface RefusalProps {
  error: unknown
  debtorGuid: string
  /** The request to a second person, when lower payments of debt relief need one. */
  wanted: Record<string, unknown>
  onRequested: () => void
}

/** Why the payments were not changed. */
function Refusal({ error, debtorGuid, wanted, onRequested }: RefusalProps) {
  const { t } = useTranslation()
  if (isProblem(error, 'precondition-failed'))
    return (
      <Alert color="yellow" mb="sm" role="alert" title={t('conflict.title')}>
        {t('plan.conflict')}
      </Alert>
    )
  return (
    <>
      <ProblemAlert error={error} />
      <ApprovalRequest error={error} id={debtorGuid} input={wanted} onDone={onRequested} />
    </>
  )
}

interface PaymentStateProps {
  plan: AllPlansItem
  payment: PlanPayment
  currency: string
}

const badge = (colour: string, text: string) => (
  <Badge size="sm" variant="light" tt="none" fw={500} color={colour}>
    {text}
  </Badge>
)

function PaymentState({ plan, payment, currency }: PaymentStateProps) {
  const { t } = useTranslation()
  const today = useBusinessDate()
  const { unpaid, amount, paidDate, dueDate } = payment
  if (plan.active === 2) return ''
  if (amount === 0 && !paidDate) return badge('gray', t('plan.noPayment'))
  if (unpaid <= 0)
    return badge('teal', paidDate ? t('plan.paidOn', { date: formatDateTime(paidDate) }) : t('plan.paid'))
  if (plan.active === 0) return badge('gray', t('plan.void'))
  const part = unpaid < amount ? t('plan.partLeft', { amount: formatMoney(unpaid, currency) }) : undefined
  if (today !== undefined && dueDate < today) return badge('red', part ?? t('plan.late'))
  return badge(part ? 'yellow' : 'gray', part ?? t('plan.coming'))
}
