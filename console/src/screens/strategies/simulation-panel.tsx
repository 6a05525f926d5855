import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type {
  Simulation,
  SimulationInput,
  StrategyStepInput,
} from '../../../../contract/collection/strategies.ts'
import { services } from '../../../../core/cases/case-lifecycle.ts'
import { api } from '../../api/client.ts'
import { formatDateTime, formatMoney, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { statusLabel, subStatusLabel } from '../cases/status-badge.tsx'
import { SimulationComparison } from './simulation-comparison.tsx'
import { nameStep, nameSteps, readAction, type Step } from './steps.ts'

interface SimulationPanelProps {
  /** Undefined for a strategy that is not stored yet. */
  strategyGuid?: string | undefined
  /** Edited steps; without them the stored ones. */
  steps?: StrategyStepInput[] | undefined
  /** The stored steps, by which those of the course are named. */
  known?: readonly Step[]
}

/** Simulates a strategy on an invented case, or on the cases that have it. 0 days is a dry run. */
export function SimulationPanel({ strategyGuid, steps, known = [] }: SimulationPanelProps) {
  const { t } = useTranslation()
  const work = useWork()
  const [on, setOn] = useState<string>('made-up')
  const [days, setDays] = useState('60')
  const [amount, setAmount] = useState('1200')
  const [service, setService] = useState<string>('PRECOLLECTION')
  const [result, setResult] = useState<Simulation>()
  const [inForce, setInForce] = useState<Simulation>()
  const run = async () => {
    const body: SimulationInput = {
      days: Number(days),
      ...(strategyGuid && { strategyGuid }),
      ...(steps && { steps }),
      ...(on === 'made-up' && { case: { amount: Number(amount), service } }),
    }
    // Edited steps are compared with the stored ones.
    const { steps: _draft, ...stored } = body
    const [simulated, former] = await Promise.all([
      api.simulateStrategy({ body }),
      steps && strategyGuid ? api.simulateStrategy({ body: stored }) : undefined,
    ])
    setResult(simulated)
    setInForce(former)
  }
  return (
    <Panel title={t('strategy.simulation')}>
      <form onSubmit={work.onSubmit(run)}>
        <Group gap="sm" align="flex-end" wrap="wrap">
          {strategyGuid && (
            <Select
              label={t('strategy.on')}
              data={[
                { value: 'made-up', label: t('strategy.madeUp') },
                { value: 'cases', label: t('strategy.itsCases') },
              ]}
              value={on}
              allowDeselect={false}
              onChange={(next) => setOn(next!)}
            />
          )}
          {on === 'made-up' && (
            <>
              <TextInput
                label={t('plan.amount')}
                type="number"
                min={0.01}
                step="0.01"
                required
                w={130}
                value={amount}
                onChange={(event) => setAmount(event.currentTarget.value)}
              />
              <Select
                label={t('field.service')}
                data={services.map((value) => ({
                  value,
                  label: translateLabel(`lookup.caseservice.${value}`, value),
                }))}
                value={service}
                allowDeselect={false}
                onChange={(next) => setService(next!)}
              />
            </>
          )}
          <TextInput
            label={t('strategy.days')}
            type="number"
            min={0}
            max={1000}
            required
            w={150}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          <Button type="submit" loading={work.busy}>
            {t('strategy.simulate')}
          </Button>
        </Group>
      </form>
      <Stack gap="sm" mt="sm" role="status">
        <ProblemAlert error={work.error} />
        {result && inForce && (
          <SimulationComparison
            inForce={inForce}
            draft={result}
            names={nameSteps([...known, ...(steps ?? [])])}
          />
        )}
        {result && <Outcome result={result} steps={steps ?? known} />}
      </Stack>
    </Panel>
  )
}

interface OutcomeProps {
  result: Simulation
  steps: readonly Pick<StrategyStepInput, 'code' | 'actions' | 'countries'>[]
}

function Outcome({ result, steps }: OutcomeProps) {
  const { t } = useTranslation()
  const names = new Map(steps.map((step) => [step.code, nameStep(step)]))
  if (result.course.length === 0) return <Text size="sm">{t('strategy.nothing')}</Text>
  return (
    <>
      <Group gap="xs">
        <Text size="sm">
          {t('strategy.cases', { cases: formatNumber(result.cases) })}
          {result.isSample && ` (${t('strategy.sample')})`}
        </Text>
        {result.steps.map(({ step, taken, refused }) => (
          <Badge key={step} title={step} variant="light" tt="none" color={refused > 0 ? 'red' : 'blue'}>
            {names.get(step) ?? step}: {formatNumber(taken)}
            {refused > 0 && ` (${t('strategy.refused')}: ${formatNumber(refused)})`}
          </Badge>
        ))}
      </Group>
      <TableFrame title={t('strategy.simulation')}>
        <thead>
          <tr>
            <th scope="col" className="amount">
              {t('strategy.day')}
            </th>
            <th scope="col">{t('command.date')}</th>
            <th scope="col">{t('field.caseNumber')}</th>
            <th scope="col">{t('strategy.step')}</th>
            <th scope="col">{t('field.status')}</th>
            <th scope="col" className="amount">
              {t('strategy.remaining')}
            </th>
          </tr>
        </thead>
        <tbody>
          {result.course.map((one, index) => (
            <tr key={index}>
              <td className="amount">{one.day}</td>
              <td>{formatDateTime(one.date)}</td>
              <td>
                {one.caseNumber ?? '–'}
                {one.demandedWith !== null && (
                  <Text size="xs" c="dimmed">
                    {t('strategy.demandedWith', { number: one.demandedWith })}
                  </Text>
                )}
              </td>
              <td style={{ whiteSpace: 'normal' }} title={one.step}>
                {names.get(one.step) ?? one.step}
                <Text size="xs" c={one.refused === null ? 'dimmed' : 'red'}>
                  {one.refused ?? one.actions.map(readAction).join(' · ')}
                </Text>
              </td>
              <td>
                {statusLabel(one.status)}, {subStatusLabel(one.subStatus)}
              </td>
              <td className="amount">{formatMoney(one.remaining, one.currency)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </>
  )
}
