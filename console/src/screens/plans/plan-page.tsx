import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AllPlansItem } from '../../../../contract/plans/all-plans.ts'
import type { PaymentPlan } from '../../../../contract/plans/payment-plans.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { WriteLetter } from '../letters/write-letter.tsx'
import { ActivatePlan } from './activate-plan.tsx'
import { describeInstalments } from './instalment-amount.ts'
import { PlanBadge } from './plan-badge.tsx'
import { refreshPlan } from './plan-changes.ts'
import { PlanChart } from './plan-chart.tsx'
import { PlanSchedule } from './plan-schedule.tsx'
import { toSchedule } from './plan-terms.ts'

/** One plan by its own address. The list of plans gives its debtor. */
export default function PlanPage() {
  const { t } = useTranslation()
  const { planGuid } = useParams({ from: '/plans/$planGuid' })
  const listed = useQuery(reading('listAllPlans', { $filter: `paymentPlanGuid eq ${planGuid}` }))
  const found = listed.data?.body.value[0]
  const plan = useQuery({
    ...reading('getPaymentPlan', { debtorGuid: found?.debtorGuid ?? '', paymentplanGuid: planGuid }),
    enabled: found !== undefined,
  })
  const record = plan.data?.body
  return (
    <Page
      title={t('plan.title')}
      about={found ? <PlanLine plan={found} /> : ' '}
      actions={found && record && <PlanActions plan={found} />}
    >
      <ProblemAlert error={listed.error ?? plan.error} />
      {listed.data && !found && <Text size="sm">{t('plan.unknown')}</Text>}
      {found && record && (
        <>
          <Outcome plan={found} record={record} />
          <PlanSchedule plan={found} record={record} etag={plan.data?.etag} />
          <PlanCases record={record} />
        </>
      )}
      {(listed.isPending || (found && plan.isPending)) && (
        <Panel title={t('plan.outcome')}>
          <LinesSkeleton lines={10} />
        </Panel>
      )}
    </Page>
  )
}

/** The debtor and the state of the plan. */
function PlanLine({ plan }: { plan: AllPlansItem }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" mt={4}>
      <PlanBadge {...plan} />
      <Anchor component={Link} to={`/debtors/${plan.debtorGuid}` as '/'} size="sm">
        {plan.debtorName}
      </Anchor>
      <Text size="sm">
        {translateLabel(`lookup.paymentplantype.${plan.paymentPlanType}`, '')} ·{' '}
        {t('plan.since', { date: formatDateTime(plan.startDate) })}
        {plan.endDate && ` · ${t('plan.until', { date: formatDateTime(plan.endDate) })}`}
      </Text>
    </Group>
  )
}

function PlanActions({ plan }: { plan: AllPlansItem }) {
  const { t } = useTranslation()
  const mayWrite = useMay('paymentplan.write')
  const [asking, setAsking] = useState<'activate' | 'cancel' | 'letter'>()
  const mayLetter = useMay('case.write')
  const { debtorGuid, paymentPlanGuid, active } = plan
  const close = () => setAsking(undefined)
  return (
    <Group gap="xs" className="no-print">
      {mayWrite && active === 2 && (
        <Button data-main-action onClick={() => setAsking('activate')}>
          {t('plan.activate')}
        </Button>
      )}
      {mayWrite && active !== 0 && (
        <Button variant="default" onClick={() => setAsking('cancel')}>
          {t('plan.cancel')}
        </Button>
      )}
      {mayWrite && active === 0 && (
        <Button variant="default" component={Link} to={`/debtors/${debtorGuid}/plan` as '/'}>
          {t('plan.new')}
        </Button>
      )}
      <Button variant="default" onClick={() => window.print()}>
        {t('action.print')}
      </Button>
      {mayLetter && active !== 0 && (
        <Button variant="default" onClick={() => setAsking('letter')}>
          {t('letters.new')}
        </Button>
      )}
      {asking === 'activate' && (
        <ActivatePlan debtorGuid={debtorGuid} planGuid={paymentPlanGuid} onClose={close} />
      )}
      {asking === 'letter' && (
        <WriteLetter debtorGuid={debtorGuid} caseGuid={null} planGuid={paymentPlanGuid} onClose={close} />
      )}
      {asking === 'cancel' && (
        <ConfirmDialog
          title={t('plan.cancel')}
          about={t('plan.cancelAbout')}
          confirm={t('plan.cancel')}
          onConfirm={async () => {
            await api.cancelPaymentPlan({ debtorGuid, paymentplanGuid: paymentPlanGuid })
            noticeDone(t('form.stored'))
            await refreshPlan()
          }}
          onClose={close}
        />
      )}
    </Group>
  )
}

function Outcome({ plan, record }: { plan: AllPlansItem; record: PaymentPlan }) {
  const { t } = useTranslation()
  const money = (amount: number) => formatMoney(amount, record.currencyCode)
  const paid = record.numberOfPayments - record.remainingNumberOfPayments
  const facts: [string, string][] = [
    [
      t('plan.each'),
      describeInstalments(record.payments, { type: record.paymentPlanType, regular: plan.amount }, money),
    ],
    [t('plan.number'), formatNumber(record.numberOfPayments)],
    ...(plan.active === 1
      ? ([[t('plan.paidPayments'), t('plan.paidOf', { paid, all: record.numberOfPayments })]] as [
          string,
          string,
        ][])
      : []),
    [t('field.unpaid'), money(plan.unpaid)],
    [t('plan.last'), formatDateTime(plan.lastDueDate)],
    [t('plan.total'), money(record.totalAmount)],
    ...(record.annualPercentage === null
      ? []
      : ([[t('plan.annual'), `${formatNumber(record.annualPercentage)} %`]] as [string, string][])),
  ]
  return (
    <Panel title={t('plan.outcome')}>
      <Group gap="xl" mb="md" style={{ rowGap: '0.5rem' }}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Text fw={600}>{value}</Text>
          </div>
        ))}
      </Group>
      <PlanChart rows={toSchedule(record)} currency={record.currencyCode} />
    </Panel>
  )
}

function PlanCases({ record }: { record: PaymentPlan }) {
  const { t } = useTranslation()
  return (
    <Panel title={t('navigation.cases')}>
      <Group gap="md">
        {record.cases.map(({ caseGuid, caseNumber, clientReference }) => (
          <Anchor key={caseGuid} component={Link} to={`/cases/${caseGuid}` as '/'} size="sm">
            {[caseNumber, clientReference].filter(Boolean).join(' · ')}
          </Anchor>
        ))}
      </Group>
    </Panel>
  )
}
