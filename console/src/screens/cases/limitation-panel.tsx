import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { RuleName } from '../../widgets/rule-name.tsx'

/** When the limitation period began, by which rule, what interrupted it, and when it runs out. */
export function LimitationPanel({ caseGuid }: { caseGuid: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('getCaseLimitation', { caseGuid }))
  const clock = data?.body
  return (
    <Panel title={t('limitation.title')}>
      <ProblemAlert error={error} />
      {!clock && !error && <LinesSkeleton lines={2} />}
      {clock?.limitationDate === null && (
        <Text size="sm" c="dimmed">
          {t('limitation.none', { country: clock.country })}
        </Text>
      )}
      {clock && clock.limitationDate !== null && (
        <>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {formatDateTime(clock.limitationDate)}
            </Text>
            <Badge size="sm" variant="light" color={clock.barred ? 'red' : 'gray'}>
              {clock.barred
                ? t('limitation.barred')
                : t('limitation.left', {
                    count: clock.daysLeft ?? 0,
                    number: formatNumber(clock.daysLeft ?? 0),
                  })}
            </Badge>
          </Group>
          <ul className="explanation">
            <li className="lined">
              <div>
                <Text size="sm">
                  {t('limitation.begins', {
                    date: formatDateTime(clock.runsFrom),
                    years: formatNumber(clock.periodYears ?? 0),
                  })}
                </Text>
                <Text size="xs" c="dimmed">
                  {clock.rule !== null && <RuleName rule={clock.rule} source={clock.source} />}
                </Text>
              </div>
            </li>
            {clock.interruptions.map(({ interruption, date, inWriting, counted, limitationDate }, index) => (
              <li key={index} className="lined">
                <div>
                  <Text size="sm">
                    {translateLabel(`lookup.interruption.${interruption}`, interruption)},{' '}
                    {formatDateTime(date)}
                    {inWriting && `, ${translateLabel('field.inWriting', '')}`}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {counted
                      ? t('limitation.until', { date: formatDateTime(limitationDate) })
                      : t('limitation.notCounted')}
                  </Text>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
