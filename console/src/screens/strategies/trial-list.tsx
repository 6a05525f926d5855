import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { EmptyState } from '../../widgets/empty/empty-state.tsx'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

/** The trials of strategies: few enough to load all at once. */
export default function TrialList() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayWrite = useMay('system.admin')
  const [creating, setCreating] = useState(false)
  const { data, error } = useQuery(reading('listTrials'))
  return (
    <Page
      title={t('trial.list')}
      about={t('trial.about')}
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
            {t('trial.new')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error} />
      <Panel title={t('trial.list')}>
        {!data && !error && <LinesSkeleton />}
        {data?.body.value.length === 0 && (
          <EmptyState
            text={t('trial.none')}
            action={mayWrite && <FirstButton onClick={() => setCreating(true)} />}
          />
        )}
        {data && data.body.value.length > 0 && <TrialTable trials={data.body.value} />}
      </Panel>
      {creating && (
        <FormDialog
          title={t('trial.new')}
          entity="trial"
          type="create"
          place={{}}
          onDone={(answer) => {
            void refresh('listTrials')
            const trialGuid = String(answer?.['trialGuid'])
            void navigate({ to: '/trials/$trialGuid', params: { trialGuid }, ignoreBlocker: true })
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  )
}

interface TrialRow {
  trialGuid: string
  name: string
  status: string
  arms: readonly { strategyName: string; share: number }[]
  cases: number
  plannedCases: number
  startedDate: string | null
}

function TrialTable({ trials }: { trials: readonly TrialRow[] }) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('trial.list')}>
      <thead>
        <tr>
          <th scope="col">{t('field.name')}</th>
          <th scope="col">{t('field.status')}</th>
          <th scope="col">{t('trial.strategies')}</th>
          <th scope="col" className="amount">
            {t('field.cases')}
          </th>
          <th scope="col" className="amount">
            {t('field.plannedCases')}
          </th>
          <th scope="col">{t('field.startedDate')}</th>
        </tr>
      </thead>
      <tbody>
        {trials.map((one) => (
          <tr key={one.trialGuid}>
            <td>
              <Anchor
                renderRoot={(props) => (
                  <Link to="/trials/$trialGuid" params={{ trialGuid: one.trialGuid }} {...props} />
                )}
              >
                {one.name}
              </Anchor>
            </td>
            <td>
              <StateBadge lookup="trialstatus" state={one.status} />
            </td>
            <td>
              {one.arms
                .map(({ strategyName, share }) => `${strategyName} ${formatNumber(share)} %`)
                .join(' · ')}
            </td>
            <td className="amount">{formatNumber(one.cases)}</td>
            <td className="amount">{formatNumber(one.plannedCases)}</td>
            <td>{formatDateTime(one.startedDate) || '–'}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
