import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatNumber } from '../../format/format.ts'
import { useMay } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { statusLabel, subStatusLabel } from '../cases/status-badge.tsx'
import { SimulationPanel } from './simulation-panel.tsx'
import { StrategyFlow } from './flow/strategy-flow.tsx'
import { describeAction, describeConditions, nameStep, toDraft, type Step } from './steps.ts'
import { StrategyEditor } from './strategy-editor.tsx'
import { Unverified } from './strategy-list.tsx'

/** A strategy with its steps, simulation and editor. */
export default function StrategyPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayWrite = useMay('system.admin')
  const { strategyGuid } = useParams({ from: '/strategies/$strategyGuid' })
  const [editing, setEditing] = useState(false)
  const { data, error } = useQuery(reading('getStrategy', { strategyGuid }))
  const strategy = data?.body
  const remove = () =>
    api
      .deleteStrategy({ strategyGuid })
      .then(() => refresh('listStrategies'))
      .then(() => navigate({ to: '/strategies' }))
      .catch(noticeProblem)
  return (
    <Page
      title={strategy?.name ?? t('strategy.title')}
      about={strategy ? `${strategy.code} · ${t('strategy.version')} ${formatNumber(strategy.version)}` : ' '}
      actions={
        strategy &&
        mayWrite &&
        !editing && (
          <>
            <Button leftSection={<Icon name="edit" size={15} />} onClick={() => setEditing(true)}>
              {t('action.edit')}
            </Button>
            {strategy.clients === 0 && (
              <Button variant="default" color="red" onClick={() => void remove()}>
                {t('action.delete')}
              </Button>
            )}
          </>
        )
      }
    >
      <ProblemAlert error={error} />
      {!strategy && !error && <LinesSkeleton lines={8} />}
      {strategy && editing && (
        <StrategyEditor
          strategy={strategy}
          etag={data.etag}
          onDone={() => setEditing(false)}
          onCancel={() => setEditing(false)}
        />
      )}
      {strategy && !editing && (
        <Stack gap="md">
          <Flow steps={strategy.steps} />
          <Panel title={t('strategy.steps')}>
            {strategy.unverified && <Unverified />}
            <Text size="sm" c="dimmed" mb="xs">
              {strategy.source}
            </Text>
            <Steps steps={strategy.steps} />
          </Panel>
          {mayWrite && <SimulationPanel strategyGuid={strategyGuid} known={strategy.steps} />}
        </Stack>
      )}
    </Page>
  )
}

function Flow({ steps }: { steps: readonly Step[] }) {
  const drafts = useMemo(() => steps.map(toDraft), [steps])
  return <StrategyFlow steps={drafts} />
}

function Steps({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation()
  const wrapped = { whiteSpace: 'normal', minWidth: '14rem' } as const
  return (
    <TableFrame title={t('strategy.steps')}>
      <thead>
        <tr>
          <th scope="col">{t('strategy.step')}</th>
          <th scope="col">{t('field.status')}</th>
          <th scope="col" className="amount">
            {t('strategy.afterDays')}
          </th>
          <th scope="col">{t('strategy.conditions')}</th>
          <th scope="col">{t('strategy.action')}</th>
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step.code}>
            <td style={wrapped} title={step.code}>
              {nameStep(step)}
            </td>
            <td style={wrapped}>
              {statusLabel(step.status)}
              {step.subStatus !== null && `, ${subStatusLabel(step.subStatus)}`}
            </td>
            <td className="amount">{formatNumber(step.afterDays)}</td>
            <td style={wrapped}>{describeConditions(step, t('strategy.onPlan')).join(' · ') || '–'}</td>
            <td style={wrapped}>
              {step.actions.map((action, index) => (
                <div key={index}>{describeAction(action)}</div>
              ))}
              {step.source !== null && (
                <Text size="xs" c="dimmed">
                  {step.source}
                </Text>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}
