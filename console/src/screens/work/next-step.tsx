import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { NextStep } from '../../../../contract/collection/next-step.ts'
import { formatDateTime } from '../../format/format.ts'
import type { TextKey } from '../../texts/languages.ts'
import { statusLabel, subStatusLabel } from '../cases/status-badge.tsx'
import { nameStep } from '../strategies/steps.ts'

const withoutStep: Partial<Record<NextStep['state'], TextKey>> = {
  NO_STRATEGY: 'work.step.NO_STRATEGY',
  PAID: 'work.step.PAID',
  CLOSED: 'work.step.CLOSED',
}

/** What the strategy does next with a case by itself, when, and why. */
export function NextStepFact({ next }: { next: NextStep }) {
  const { t } = useTranslation()
  const { state, step, since, dueDate, demandedWith, reason, from } = next
  const strategy = next.strategyName ?? ''
  if (step === null) return t(withoutStep[state] ?? 'work.step.NO_STEP', { strategy })
  const name = nameStep({ actions: step.actions })
  if (state === 'HELD')
    return from === null
      ? t('work.step.held', { step: name })
      : t('work.step.heldUntil', { step: name, date: formatDateTime(from) })
  const date = formatDateTime(dueDate)
  const status = step.subStatus === null ? statusLabel(step.status) : subStatusLabel(step.subStatus)
  return (
    <>
      {state === 'REFUSED'
        ? t('work.step.refused', { step: name, date, reason: reason ?? '' })
        : t('work.step.on', { step: name, date })}
      <Text size="xs" c="dimmed">
        {t('work.step.because', {
          count: step.afterDays,
          date: formatDateTime(since),
          status,
          strategy,
        })}{' '}
        {demandedWith !== null && t('work.step.with', { number: demandedWith })}
      </Text>
    </>
  )
}
