import { Alert, Badge, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseOverview, OverviewCase } from '../../../../contract/cases/cases.ts'
import { daysBetween } from '../../../../core/calendar/calendar.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import type { FormValues } from '../../forms/definition.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { owedByCurrency } from '../debtors/owed-cases.ts'
import { PlanChart } from './plan-chart.tsx'
import { createPlanInput, hasDayFault, startChoice, type PlanChoice } from './plan-choice.ts'
import { PlanComparison } from './plan-comparison.tsx'
import { PlanFacts } from './plan-facts.tsx'
import { PlanForm } from './plan-form.tsx'
import { PlanSteps } from './plan-steps.tsx'
import { PlanTable, type Deviations } from './plan-table.tsx'
import { planErrorMessage } from './plan-error.ts'
import { toMajor } from './plan-terms.ts'
import { useOwed, usePlan, type PlanContext } from './use-plan.ts'

/** Plans are tried out and agreed here, with the debtor on the phone. */
export default function PlanWorkshop() {
  const { t } = useTranslation()
  const { debtorGuid } = useParams({ from: '/debtors/$debtorGuid/plan' })
  const overview = useQuery(reading('getCaseOverview', { debtorGuid }))
  const entity = 'paymentplan'
  const terms = useQuery({
    queryKey: ['form', entity, 'create', debtorGuid],
    queryFn: () => api.getFormValues({ entity, type: 'create', id: debtorGuid, initialValues: true }),
    staleTime: 0,
  })
  return (
    <Page title={t('plan.title')} about={overview.data?.body.fullName ?? ' '}>
      <ProblemAlert error={overview.error ?? terms.error} />
      {(overview.isPending || terms.isPending) && (
        <Panel title={t('plan.terms')}>
          <LinesSkeleton lines={8} />
        </Panel>
      )}
      {overview.data && terms.data && (
        <Workshop debtorGuid={debtorGuid} overview={overview.data.body} terms={terms.data as FormValues} />
      )}
    </Page>
  )
}

interface WorkshopProps {
  debtorGuid: string
  overview: CaseOverview
  /** A new plan by the terms of the client. */
  terms: FormValues
}

/** A plan has one currency. */
function Workshop({ debtorGuid, overview, terms }: WorkshopProps) {
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
        terms={terms}
      />
    </>
  )
}

interface PlanEditorProps extends Pick<WorkshopProps, 'debtorGuid' | 'terms'> {
  cases: readonly OverviewCase[]
  currency: string
}

function PlanEditor({ debtorGuid, cases, currency, terms }: PlanEditorProps) {
  const { t } = useTranslation()
  const [choice, setChoice] = useState<PlanChoice>(() => {
    // Cases on an active plan already have one.
    const free = cases.filter(({ subStatus }) => subStatus !== 'PAYMENT_PLAN')
    return startChoice(
      terms,
      currency,
      free.map(({ caseGuid }) => caseGuid),
    )
  })
  const [deviations, setDeviations] = useState<Deviations>({})
  const [editing, setEditing] = useState<number>()
  const [touched, setTouched] = useState(false)
  const { context, error } = useContext(debtorGuid, choice, terms)
  const input = createPlanInput(choice, deviations, currency)
  const plan = usePlan(debtorGuid, context, input)
  const change = (changed: Partial<PlanChoice>) => {
    setChoice({ ...choice, ...changed })
    setTouched(true)
  }
  const deviate = (paymentNo: number, deviation: Deviations[number] | undefined) => {
    const { [paymentNo]: _former, ...others } = deviations
    setDeviations(deviation ? { ...others, [paymentNo]: deviation } : others)
    setTouched(true)
  }
  const clear = plan.outcome?.ok ? plan.outcome.plan : undefined
  return (
    <div className="plan-columns">
      {choice.cases.length > 0 && (
        <div className="plan-wide">
          <PlanComparison
            debtorGuid={debtorGuid}
            context={context}
            choice={choice}
            currency={currency}
            onChoose={(type) => change({ type })}
          />
        </div>
      )}
      <Panel title={t('plan.terms')}>
        <PlanSteps
          debtorGuid={debtorGuid}
          input={input}
          promise={
            clear && {
              type: choice.type,
              payments: plan.rows,
              total: plan.rows.reduce((sum, { amount }) => sum + amount, 0),
              registrationFee: input.registrationFee,
              left: plan.differs ? plan.rows.at(-1)!.balance : toMajor(clear.left.total, currency),
              cases: choice.cases.length,
              currency,
            }
          }
          ready={clear !== undefined && !plan.error && editing === undefined && !hasDayFault(choice)}
          touched={touched || editing !== undefined}
        >
          <PlanForm cases={cases} currency={currency} choice={choice} onChange={change} />
        </PlanSteps>
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
              actions={plan.checked && <CheckedBadge differs={plan.differs} />}
            >
              <PlanFacts
                plan={clear}
                served={plan.body}
                rows={plan.rows}
                currency={currency}
                type={choice.type}
              />
              <PlanChart rows={plan.rows} currency={currency} />
            </Panel>
            <Panel title={t('plan.schedule')}>
              <PlanTable
                rows={plan.rows}
                currency={currency}
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

/** What is owed on the chosen cases, and the terms that are not chosen here. */
function useContext(debtorGuid: string, { cases, businessDays }: PlanChoice, terms: FormValues) {
  const { owed, error } = useOwed(debtorGuid, cases)
  const [oldest] = cases
  const law = useQuery({
    ...reading('getCasePermissions', { debtorGuid, caseGuid: oldest ?? '' }),
    enabled: businessDays && oldest !== undefined,
  })
  const asOf = owed?.[0]?.explanation.asOf.slice(0, 10)
  const firstDue = terms['firstDueDate']
  const firstDueDays =
    asOf !== undefined && typeof firstDue === 'string' ? daysBetween(asOf, firstDue.slice(0, 10)) : undefined
  const context: PlanContext = { owed, firstDueDays, country: law.data?.body.governingCountry ?? null }
  return { context, error }
}

/** Whether the service reckons the same plan as the console. */
function CheckedBadge({ differs }: { differs: boolean }) {
  const { t } = useTranslation()
  return (
    <Badge color={differs ? 'yellow' : 'teal'} variant="light" tt="none">
      {differs ? t('plan.served') : t('plan.checked')}
    </Badge>
  )
}
