import { Alert, Button, Checkbox, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { ApprovalRequest } from '../../forms/approval-request.tsx'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useFirstFocus } from '../../widgets/use-first-focus.ts'
import { useWork } from '../../widgets/use-work.ts'
import { refreshLetters } from '../letters/letter-changes.ts'

/** Minutes in which the letter can still be withdrawn. */
const delayMinutes = 10

export interface PlanPromise {
  type: number
  payments: readonly { amount: number; dueDate: string }[]
  total: number
  registrationFee: number
  /** What the plan does not pay. */
  left: number
  cases: number
  currency: string
}

interface PlanActivationProps {
  debtorGuid: string
  promise: PlanPromise
  /** Activates the plan. Returns its guid. */
  activate: () => Promise<string>
  /** The request to a second person, when debt relief needs one. */
  wanted: Record<string, unknown>
  /** After the plan is active, and its letter sent where one was wanted. */
  onDone: (planGuid: string) => void
  onClose: () => void
}

/** What follows from the activation, and the letter about the plan, before anything is done. */
export function PlanActivation({
  debtorGuid,
  promise,
  activate,
  wanted,
  onDone,
  onClose,
}: PlanActivationProps) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write')
  const work = useWork()
  const frame = useFirstFocus<HTMLFormElement>()
  const [withLetter, setWithLetter] = useState(mayWrite)
  const [active, setActive] = useState<string>()
  const run = async () => {
    const planGuid = active ?? (await activate())
    setActive(planGuid)
    if (withLetter) {
      const body = { kind: 'plan', paymentPlanGuid: planGuid, delayMinutes }
      const { channel } = await api.sendLetter({ debtorGuid, body })
      await refreshLetters()
      noticeDone(t(channel === 'email' ? 'plan.letterByEmail' : 'plan.letterByPost'))
    } else noticeDone(t('plan.activated'))
    onDone(planGuid)
  }
  return (
    <Modal
      opened
      onClose={() => (active === undefined ? onClose() : onDone(active))}
      title={t('plan.activateTitle')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form ref={frame} onSubmit={work.onSubmit(run)}>
        <Stack gap="md">
          {active === undefined ? (
            <Consequences {...promise} />
          ) : (
            <Alert color="yellow">{t('plan.letterFailed')}</Alert>
          )}
          {mayWrite && (
            <Checkbox
              label={t('plan.withLetter')}
              description={t('plan.withLetterAbout', { minutes: delayMinutes })}
              checked={withLetter}
              onChange={(event) => setWithLetter(event.currentTarget.checked)}
            />
          )}
          <ProblemAlert error={work.error} />
          <ApprovalRequest error={work.error} id={debtorGuid} input={wanted} onDone={onClose} />
          <Group>
            <Button type="submit" loading={work.busy} disabled={active !== undefined && !withLetter}>
              {active === undefined ? t('plan.activate') : t('letters.send')}
            </Button>
            <Button variant="default" onClick={() => (active === undefined ? onClose() : onDone(active))}>
              {active === undefined ? t('action.cancel') : t('action.close')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function Consequences({ type, payments, total, registrationFee, left, cases, currency }: PlanPromise) {
  const { t } = useTranslation()
  const money = (amount: number) => formatMoney(amount, currency)
  const [first, last] = [payments[0]!, payments.at(-1)!]
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t('plan.followsTitle')}
      </Text>
      <List size="sm" spacing={6}>
        <List.Item>
          {t('plan.followsPayments', {
            count: payments.length,
            amount: money(first.amount),
            first: formatDateTime(first.dueDate),
            last: formatDateTime(last.dueDate),
            total: money(total),
          })}
        </List.Item>
        {registrationFee > 0 && (
          <List.Item>{t('plan.followsFee', { amount: money(registrationFee) })}</List.Item>
        )}
        <List.Item>{t('plan.followsCases', { count: cases })}</List.Item>
        <List.Item>{t(type === 5 ? 'plan.followsRelief' : 'plan.followsInterest')}</List.Item>
        {left > 0 && <List.Item>{t('plan.followsLeft', { amount: money(left) })}</List.Item>}
        <List.Item>{t('plan.followsBreach')}</List.Item>
      </List>
    </div>
  )
}
