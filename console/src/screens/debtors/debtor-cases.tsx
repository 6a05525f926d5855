import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseOverview, OverviewCase } from '../../../../contract/cases/cases.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatMoney } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { CopyText } from '../../widgets/copy-text.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { RegisterCase } from '../cases/register-case.tsx'
import { StatusBadge } from '../cases/status-badge.tsx'
import { useOpenPlan } from '../plans/use-open-plan.ts'
import { owedByCurrency } from './owed-cases.ts'

/** The total debt of a debtor, and its cases. */
export function DebtorCases({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayWrite = useMay('case.write')
  const mayPlan = useMay('paymentplan.write')
  const [registering, setRegistering] = useState(false)
  const { data, error } = useQuery(reading('getCaseOverview', { debtorGuid }))
  const overview = data?.body
  useOpenPlan(debtorGuid, (overview?.activeCases ?? 0) > 0)
  return (
    <Panel
      title={t('navigation.cases')}
      actions={
        <>
          {mayPlan && overview && overview.activeCases > 0 && (
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={`/debtors/${debtorGuid}/plan` as '/'}
              leftSection={<Icon name="calendar" size={14} />}
            >
              {t('plan.make')}
            </Button>
          )}
          {mayWrite && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setRegistering(true)}
            >
              {t('case.new')}
            </Button>
          )}
        </>
      }
    >
      <ProblemAlert error={error} />
      {!overview && !error && <LinesSkeleton lines={4} />}
      {overview && <Totals overview={overview} />}
      {overview && overview.cases.length > 0 && <CaseTable overview={overview} />}
      {overview?.cases.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('case.none')}
        </Text>
      )}
      {registering && (
        <RegisterCase
          debtorGuid={debtorGuid}
          onClose={() => setRegistering(false)}
          onDone={(caseGuid) =>
            void navigate({ to: '/cases/$caseGuid', params: { caseGuid }, ignoreBlocker: true })
          }
        />
      )}
    </Panel>
  )
}

/** Rounded to the smallest unit of any currency. */
const sumRemaining = (cases: readonly OverviewCase[]): number =>
  Math.round(cases.reduce((sum, { remainingSum }) => sum + remainingSum, 0) * 10_000) / 10_000

function Totals({ overview }: { overview: CaseOverview }) {
  const { t } = useTranslation()
  const owed = [...owedByCurrency(overview)].map(([code, cases]) => [code, sumRemaining(cases)] as const)
  const currency = overview.currencyCode ?? undefined
  const others = owed.filter(([code]) => code !== currency)
  const figures = [
    ['amounts.Principal', overview.remainingPrincipal],
    ['amounts.Interest', overview.remainingInterest],
    ['amounts.Fee', overview.remaininFee],
    ['amounts.remaining', overview.remainingSum],
  ] as const
  return (
    <Group gap="xl" mb="sm" align="baseline">
      {figures.map(([key, amount]) => (
        <div key={key}>
          <Text size="xs" c="dimmed">
            {t(key)}
          </Text>
          <Text fw={600} fz={key === 'amounts.remaining' ? 'lg' : 'md'}>
            {formatMoney(amount, currency)}
          </Text>
        </div>
      ))}
      {others.map(([code, sum]) => (
        <div key={code}>
          <Text size="xs" c="dimmed">
            {t('amounts.remaining')}, {code}
          </Text>
          <Text fw={600} fz="lg">
            {formatMoney(sum, code)}
          </Text>
        </div>
      ))}
      {overview.paymentReference && (
        <CopyText label={t('case.commonReference')} text={overview.paymentReference} />
      )}
    </Group>
  )
}

function CaseTable({ overview }: { overview: CaseOverview }) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('navigation.cases')}>
      <thead>
        <tr>
          <th scope="col">{t('field.caseNumber')}</th>
          <th scope="col">{t('field.clientName')}</th>
          <th scope="col">{t('field.debtorRole')}</th>
          <th scope="col">{t('field.status')}</th>
          <th scope="col">{t('field.registrationDate')}</th>
          <th scope="col" className="amount">
            {t('field.remainingSum')}
          </th>
        </tr>
      </thead>
      <tbody>
        {overview.cases.map((one) => (
          <tr key={one.caseGuid}>
            <td>
              <Anchor component={Link} to={`/cases/${one.caseGuid}` as '/'} size="sm">
                {one.caseNumber}
              </Anchor>
            </td>
            <td>{one.clientName}</td>
            <td>{translateLabel(`lookup.debtorrole.${one.debtorRole}`, one.debtorRole)}</td>
            <td>
              <StatusBadge {...one} />
            </td>
            <td>{formatDateTime(one.regDate)}</td>
            <td className="amount">{formatMoney(one.remainingSum, one.currencyCode)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
