import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StrategyStepInput } from '../../../../contract/collection/strategies.ts'
import type { Simulation, SimulationInput } from '../../../../contract/collection/strategy-simulation.ts'
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
import { SimulationWeeks } from './simulation-weeks.tsx'
import { nameSteps, readAction, type Step } from './steps.ts'

interface SimulationPanelProps {
  /** Undefined for a strategy that is not stored yet. */
  strategyGuid?: string | undefined
  /** Edited steps; without them the stored ones. */
  steps?: StrategyStepInput[] | undefined
  /** The stored steps, by which those of the course are named. */
  known?: readonly Step[]
  /** True if edited steps are meant for cases under way too. */
  running?: boolean
}

/** Simulates a strategy on an invented case, or on the cases that have it. 0 days is a dry run. */
export function SimulationPanel({ strategyGuid, steps, known = [], running = false }: SimulationPanelProps) {
  const { t } = useTranslation()
  const work = useWork()
  const [on, setOn] = useState<string>('made-up')
  const [days, setDays] = useState('60')
  const [amount, setAmount] = useState('1200')
  const [service, setService] = useState<string>('PRECOLLECTION')
  const [result, setResult] = useState<Simulation>()
  const [inForce, setInForce] = useState<Simulation>()
  const names = nameSteps([...known, ...(steps ?? [])])
  const run = async () => {
    const body: SimulationInput = {
      days: Number(days),
      ...(strategyGuid && { strategyGuid }),
      ...(steps && { steps, running }),
      ...(on === 'made-up' && { case: { amount: Number(amount), service } }),
    }
    // Edited steps are compared with the stored ones.
    const { steps: _draft, running: _running, ...stored } = body
    const [simulated, former] = await Promise.all([
      api.simulateStrategy({ body }),
      steps && strategyGuid ? api.simulateStrategy({ body: stored }) : undefined,
    ])
    setResult(simulated)
    setInForce(former)
  }
  return (
    <Stack gap="md">
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
        <div role="status">
          <ProblemAlert error={work.error} />
          {result && <Outcome result={result} names={names} />}
        </div>
      </Panel>
      {result && <SimulationWeeks result={result} inForce={inForce} />}
      {result && inForce && (
        <Panel title={t('strategy.comparison')}>
          <SimulationComparison inForce={inForce} draft={result} names={names} />
        </Panel>
      )}
      {result && result.course.length > 0 && (
        <Panel title={t('strategy.course')}>
          <Course result={result} names={names} />
        </Panel>
      )}
    </Stack>
  )
}

interface OutcomeProps {
  result: Simulation
  /** The names of the steps by their codes. */
  names: ReadonlyMap<string, string>
}

/** In a sentence: how many cases, and how often each step is taken. */
function Outcome({ result, names }: OutcomeProps) {
  const { t } = useTranslation()
  if (result.course.length === 0)
    return (
      <Text size="sm" mt="sm">
        {t('strategy.nothing')}
      </Text>
    )
  return (
    <Group gap="xs" mt="sm">
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
  )
}

/** Each step of each case by day, if nobody pays. */
function Course({ result, names }: OutcomeProps) {
  const { t } = useTranslation()
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs">
        {t('strategy.courseAbout')}
      </Text>
      <TableFrame title={t('strategy.course')}>
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
