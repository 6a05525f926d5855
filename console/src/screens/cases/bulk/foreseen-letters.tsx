import { Skeleton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../format/format.ts'
import { ProblemAlert } from '../../../widgets/problem-alert.tsx'
import type { Foreseen } from './use-foreseen-letters.ts'

const shown = (count: number) => ({ count, number: formatNumber(count) })

/** How many letters go to how many debtors, which claims share a letter, and which are refused and why. */
export function ForeseenLetters({ data, error }: Foreseen) {
  const { t } = useTranslation()
  if (error) return <ProblemAlert error={error} />
  if (!data) return <Skeleton height={20} data-skeleton />
  const refused = data.refused.reduce((sum, { cases }) => sum + cases, 0)
  return (
    <section aria-label={t('letters.foreseen')}>
      <Text size="sm" fw={600} role="status">
        {t('letters.count', shown(data.letters))} {t('letters.toDebtors', shown(data.debtors))}
      </Text>
      {data.together.length > 0 && (
        <Text size="sm">{t('letters.together', shown(data.together.length))}</Text>
      )}
      {data.examined < data.cases && (
        <Text size="sm" c="dimmed">
          {t('letters.examined', {
            examined: formatNumber(data.examined),
            cases: formatNumber(data.cases),
          })}
        </Text>
      )}
      {refused > 0 && (
        <>
          <Text size="sm" mt="xs" c="var(--mantine-color-error)">
            {t('letters.refused', shown(refused))}
          </Text>
          <ul
            className="explanation bulk-results refused-letters"
            tabIndex={0}
            aria-label={t('letters.refused', shown(refused))}
          >
            {data.refused.map(({ reason, cases }) => (
              <li key={reason} className="lined">
                <Text size="xs">{reason}</Text>
                <Text size="xs" fw={600}>
                  {formatNumber(cases)}
                </Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
