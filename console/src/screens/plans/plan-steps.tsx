import { Button, Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { useMay } from '../../session/session.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { PlanActivation, type PlanPromise } from './plan-activation.tsx'
import { refreshPlan } from './plan-changes.ts'
import type { PlanInput } from './plan-terms.ts'

interface PlanStepsProps {
  debtorGuid: string
  input: PlanInput
  promise: PlanPromise | undefined
  ready: boolean
  touched: boolean
  /** The terms. */
  children: ReactNode
}

/** Proposes, activates or prints the plan of the terms. Enter in one of them asks for the activation. */
export function PlanSteps({ debtorGuid, input, promise, ready, touched, children }: PlanStepsProps) {
  const { t } = useTranslation()
  const mayWrite = useMay('paymentplan.write')
  const navigate = useNavigate()
  const work = useWork()
  const [asking, setAsking] = useState(false)
  const make = async (active: 1 | 2) => {
    const { paymentPlanGuid } = await api.createPaymentPlan({ debtorGuid, body: { ...input, active } })
    await refreshPlan()
    return paymentPlanGuid!
  }
  const show = (planGuid: string) =>
    void navigate({ to: '/plans/$planGuid', params: { planGuid }, ignoreBlocker: true })
  const propose = async () => {
    const planGuid = await make(2)
    noticeDone(t('plan.proposed'))
    show(planGuid)
  }
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (mayWrite && ready && !work.busy) setAsking(true)
  }
  return (
    <>
      <form onSubmit={ask} noValidate>
        {children}
        <Stack gap="sm" mt="lg" className="no-print">
          <ProblemAlert error={work.error} />
          <Group gap="xs">
            {mayWrite && (
              <>
                <Button disabled={!ready} loading={work.busy} onClick={() => void work.run(propose)}>
                  {t('plan.propose')}
                </Button>
                <Button type="submit" variant="default" disabled={!ready || work.busy}>
                  {t('plan.activate')}
                </Button>
              </>
            )}
            <Button variant="default" disabled={!ready} onClick={() => window.print()}>
              {t('action.print')}
            </Button>
          </Group>
        </Stack>
      </form>
      {asking && promise && (
        <PlanActivation
          debtorGuid={debtorGuid}
          promise={promise}
          activate={() => make(1)}
          wanted={{ ...input, active: 1 }}
          onDone={show}
          onClose={() => setAsking(false)}
        />
      )}
      <LeaveGuard active={touched && !work.busy} />
    </>
  )
}
