import { Anchor, Badge, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { reading } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

/** The collection strategies: few enough to load all at once. */
export default function StrategyList() {
  const { t } = useTranslation()
  const mayWrite = useMay('system.admin')
  const { data, error } = useQuery(reading('listStrategies'))
  return (
    <Page
      title={t('navigation.strategies')}
      about={t('strategy.about')}
      actions={
        mayWrite && (
          <Button
            data-main-action
            leftSection={<Icon name="plus" size={16} />}
            renderRoot={(props) => <Link to="/strategies/new" {...props} />}
          >
            {t('strategy.new')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error} />
      <Panel title={t('navigation.strategies')}>
        {!data && !error && <LinesSkeleton />}
        {data && (
          <TableFrame title={t('navigation.strategies')}>
            <thead>
              <tr>
                <th scope="col">{t('field.name')}</th>
                <th scope="col">{t('strategy.code')}</th>
                <th scope="col" className="amount">
                  {t('strategy.steps')}
                </th>
                <th scope="col" className="amount">
                  {t('navigation.clients')}
                </th>
                <th scope="col" className="amount">
                  {t('strategy.version')}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.body.value.map((one) => (
                <tr key={one.strategyGuid}>
                  <td>
                    <Anchor
                      renderRoot={(props) => (
                        <Link
                          to="/strategies/$strategyGuid"
                          params={{ strategyGuid: one.strategyGuid }}
                          {...props}
                        />
                      )}
                    >
                      {one.name}
                    </Anchor>{' '}
                    {one.unverified && <Unverified />}
                  </td>
                  <td>
                    <Text size="sm">{one.code}</Text>
                  </td>
                  <td className="amount">{formatNumber(one.steps.length)}</td>
                  <td className="amount">{formatNumber(one.clients)}</td>
                  <td className="amount">{formatNumber(one.version)}</td>
                </tr>
              ))}
            </tbody>
          </TableFrame>
        )}
      </Panel>
    </Page>
  )
}

export function Unverified() {
  const { t } = useTranslation()
  return (
    <Badge color="yellow" variant="light" size="sm" tt="none">
      {t('rates.unverified')}
    </Badge>
  )
}
