import { Alert, Badge, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseOverview, OverviewCase } from '../../../../contract/cases/cases.ts'
import type { PaymentPlan as ComputedPlan, PlanError } from '../../../../core/plans/plan-terms.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { loadForm } from '../../forms/server-form.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { owedByCurrency } from '../debtors/owed-cases.ts'
import { PlanChart } from './plan-chart.tsx'
import { PlanForm, type PlanChoice } from './plan-form.tsx'
import { PlanTable, type Deviations, type ScheduleRow } from './plan-table.tsx'
import { toMajor, type PlanInput } from './plan-terms.ts'
import { createPlanInput, useOwed, usePlan } from './use-plan.ts'

/** Plans are tried out and agreed here, with the debtor on the phone. */
export default function PlanWorkshop() {
  const { t } = useTranslation()
  const { debtorGuid } = useParams({ from: '/debtors/$debtorGuid/plan' })
  const maySettings = useMay('system.admin')
  const overview = useQuery(reading('getCaseOverview', { debtorGuid }))
  const settings = useQuery({
    queryKey: ['form', 'systemsettings', 'edit'],
    queryFn: () => loadForm('systemsettings', 'edit'),
    enabled: maySettings,
  })
  const isReady = overview.data && (!maySettings || settings.data || settings.error)
  return (
    <Page title={t('plan.title')} about={overview.data?.body.fullName ?? ' '}>
      <ProblemAlert error={overview.error} />
      {!isReady && !overview.error && (
        <Panel title={t('plan.terms')}>
          <LinesSkeleton lines={8} />
        </Panel>
      )}
      {isReady && (
        <Workshop
          debtorGuid={debtorGuid}
          overview={overview.data!.body}
          settings={settings.data?.values ?? {}}
        />
      )}
    </Page>
  )
}

interface WorkshopProps {
  debtorGuid: string
  overview: CaseOverview
  settings: Readonly<Record<string, unknown>>
}

/** A plan has one currency. */
function Workshop({ debtorGuid, overview, settings }: WorkshopProps) {
  const { t } = useTranslation()
  const owed = owedByCurrency(overview)
  const owing = (code: string) => (owed.get(code) ?? []).filter(({ remainingSum }) => remainingSum > 0)
  const currencies = [...owed.keys()].filter((code) => owing(code).length > 0)
  const [currency, setCurrency] = useState(currencies[0] ?? 'SEK')
  return (
    <>
      {currencies.length > 1 && (
        <SegmentedControl
          mb="md"
          aria-label={t('field.currencyCode')}
          data={currencies}
          value={currency}
          onChange={setCurrency}
        />
      )}
      <PlanEditor
        key={currency}
        debtorGuid={debtorGuid}
        cases={owing(currency)}
        currency={currency}
        settings={settings}
      />
    </>
  )
}

interface PlanEditorProps extends Pick<WorkshopProps, 'debtorGuid' | 'settings'> {
  cases: readonly OverviewCase[]
  currency: string
}

function PlanEditor({ debtorGuid, cases, currency, settings }: PlanEditorProps) {
  const { t } = useTranslation()
  const number = (name: string) => (typeof settings[name] === 'number' ? settings[name] : undefined)
  const [choice, setChoice] = useState<PlanChoice>({
    type: 1,
    by: 'number',
    number: '12',
    amount: '',
    registrationFee: String(number('registrationFee') ?? 0),
    invoiceFee: String(number('invoiceFee') ?? 0),
    // Cases on an active plan already have one.
    cases: cases.filter(({ subStatus }) => subStatus !== 'PAYMENT_PLAN').map(({ caseGuid }) => caseGuid),
  })
  const [deviations, setDeviations] = useState<Deviations>({})
  const [editing, setEditing] = useState<number>()
  const [touched, setTouched] = useState(false)
  const { owed, error } = useOwed(debtorGuid, choice.cases)
  const input = createPlanInput(choice, deviations, currency)
  const plan = usePlan(debtorGuid, { owed, input, firstDueDays: number('firstDueDays') })
  const deviate = (paymentNo: number, deviation: Deviations[number] | undefined) => {
    const { [paymentNo]: _former, ...others } = deviations
    setDeviations(deviation ? { ...others, [paymentNo]: deviation } : others)
    setTouched(true)
  }
  const clear = plan.outcome?.ok ? plan.outcome.plan : undefined
  return (
    <div className="plan-columns">
      <Panel title={t('plan.terms')}>
        <PlanForm
          cases={cases}
          choice={choice}
          onChange={(change) => {
            setChoice({ ...choice, ...change })
            setTouched(true)
          }}
        />
        <PlanSteps
          debtorGuid={debtorGuid}
          input={input}
          ready={clear !== undefined && !plan.error && editing === undefined}
          touched={touched || editing !== undefined}
        />
      </Panel>
      <Stack gap="md">
        <ProblemAlert error={error ?? plan.error} />
        {choice.cases.length === 0 && <Alert color="yellow">{t('plan.noCases')}</Alert>}
        {plan.outcome && !plan.outcome.ok && (
          <Alert color="yellow" role="status">
            {planErrorMessage(plan.outcome.error, currency)}
          </Alert>
        )}
        {clear && (
          <>
            <Panel
              title={t('plan.outcome')}
              actions={
                plan.checked && (
                  <Badge color={plan.differs ? 'yellow' : 'teal'} variant="light" tt="none">
                    {plan.differs ? t('plan.served') : t('plan.checked')}
                  </Badge>
                )
              }
            >
              <PlanFacts plan={clear} rows={plan.rows} currency={currency} />
              <PlanChart rows={plan.rows} currency={currency} />
            </Panel>
            <Panel title={t('plan.schedule')}>
              <PlanTable
                rows={plan.rows}
                deviations={deviations}
                onDeviate={deviate}
                editing={editing}
                onEdit={setEditing}
              />
            </Panel>
          </>
        )}
      </Stack>
    </div>
  )
}

interface PlanFactsProps {
  plan: ComputedPlan
  rows: readonly ScheduleRow[]
  currency: string
}

function PlanFacts({ plan, rows, currency }: PlanFactsProps) {
  const { t } = useTranslation()
  return (
    <Group gap="xl" mb="md" role="status">
      <Fact name={t('plan.each')} value={formatMoney(toMajor(plan.levelAmount, currency), currency)} />
      <Fact name={t('plan.number')} value={formatNumber(rows.length)} />
      <Fact name={t('plan.last')} value={formatDateTime(rows.at(-1)?.dueDate ?? null)} />
      <Fact name={t('plan.total')} value={formatMoney(toMajor(plan.totals.amount, currency), currency)} />
      {plan.left.total > 0n && (
        <Fact name={t('plan.left')} value={formatMoney(toMajor(plan.left.total, currency), currency)} />
      )}
      {plan.annualPercentage !== null && (
        <Fact name={t('plan.annual')} value={`${formatNumber(plan.annualPercentage)} %`} />
      )}
    </Group>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600}>{value}</Text>
    </div>
  )
}

interface PlanStepsProps {
  debtorGuid: string
  input: PlanInput
  ready: boolean
  touched: boolean
}

/** Proposes, activates or prints the plan. */
function PlanSteps({ debtorGuid, input, ready, touched }: PlanStepsProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const work = useWork()
  const make = (active: 1 | 2) =>
    void work.run(async () => {
      await api.createPaymentPlan({ debtorGuid, body: { ...input, active } })
      noticeDone(active === 1 ? t('plan.activated') : t('plan.proposed'))
      void refresh('listPaymentPlans', 'getCaseOverview', 'listAllCases')
      void navigate({ to: '/debtors/$debtorGuid', params: { debtorGuid }, ignoreBlocker: true })
    })
  return (
    <Stack gap="sm" mt="lg" className="no-print">
      <ProblemAlert error={work.error} />
      <Group gap="xs">
        <Button disabled={!ready} loading={work.busy} onClick={() => make(2)}>
          {t('plan.propose')}
        </Button>
        <Button variant="default" disabled={!ready || work.busy} onClick={() => make(1)}>
          {t('plan.activate')}
        </Button>
        <Button variant="default" disabled={!ready} onClick={() => window.print()}>
          {t('plan.print')}
        </Button>
      </Group>
      <LeaveGuard active={touched && !work.busy} />
    </Stack>
  )
}

/** The most frequent errors in the user's words; the code for others. */
function planErrorMessage(error: PlanError, currency: string): string {
  const least =
    'leastAmount' in error ? ` ${formatMoney(toMajor(error.leastAmount, currency), currency)}` : ''
  return translateLabel(`plan.error.${error.code}`, error.code) + least
}
