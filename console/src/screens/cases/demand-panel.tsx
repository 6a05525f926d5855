import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'
import { formatMoney } from '../../format/format.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { RuleName } from '../../widgets/rule-name.tsx'

/** The cases that are demanded together with this one. Shows nothing for a case that is demanded by itself. */
export function DemandPanel({ debtorGuid, caseGuid }: { debtorGuid: string; caseGuid: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('getDemandGroup', { debtorGuid, caseGuid }))
  const group = data?.body
  const others = group?.cases.filter((one) => one.caseGuid !== caseGuid) ?? []
  const isAlone = group?.demandedAlone === true && others.length === 0
  if (!error && !isAlone && others.length === 0) return null
  return (
    <Panel title={t('demand.title')}>
      <ProblemAlert error={error} />
      {isAlone && <Text size="sm">{t('demand.alone')}</Text>}
      {group && others.length > 0 && (
        <>
          <Text size="sm">{t(group.demandGroupGuid === null ? 'demand.next' : 'demand.with')}</Text>
          <ul className="explanation">
            {others.map((one) => (
              <li key={one.caseGuid} className="lined">
                <div>
                  <Text size="sm">
                    <Anchor component={Link} to={`/cases/${one.caseGuid}` as '/'} size="sm" fw={500}>
                      {one.caseNumber}
                    </Anchor>{' '}
                    {formatMoney(one.remainingSum, group.currencyCode)}
                  </Text>
                  {(one.bearsFee || !one.isDemanded) && (
                    <Text size="xs" c="dimmed">
                      {t(one.isDemanded ? 'demand.bearsFee' : 'demand.leftOut')}
                    </Text>
                  )}
                </div>
              </li>
            ))}
          </ul>
          {group.paymentReferenceNumber !== null && (
            <Text size="sm">
              {t('demand.reference')}: {group.paymentReferenceNumber}
            </Text>
          )}
          {group.rule !== null && (
            <Text size="xs" c="dimmed">
              <RuleName rule={group.rule} source={group.source} />
            </Text>
          )}
        </>
      )}
    </Panel>
  )
}
