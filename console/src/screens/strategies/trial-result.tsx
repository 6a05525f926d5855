import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TrialItem, TrialOutcome, TrialResults } from '../../../../contract/collection/trials.ts'
import { IntervalChart } from '../../charts/interval-chart.tsx'
import { ticksUpTo } from '../../charts/ticks.ts'
import { formatMoney, formatNumber } from '../../format/format.ts'
import { Panel } from '../../widgets/page.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

const outcomes = ['collectedShare', 'paidInFull', 'collectedAmount'] as const satisfies TrialOutcome[]
type Arm = TrialResults['arms'][number]

interface TrialResultProps {
  trial: TrialItem
  results: TrialResults
}

const points = (part: number) => formatNumber(part * 100, 1)

/** What the trial has shown so far, in sentences, intervals and figures. */
export function TrialResult({ trial, results }: TrialResultProps) {
  const { t } = useTranslation()
  const challengers = results.arms.filter(({ isChampion }) => !isChampion)
  return (
    <>
      {challengers.map((arm) => (
        <Panel key={arm.strategy} title={t('trial.compared', versus(results, arm))}>
          {arm.effects !== null && results.matureCases > 0 ? (
            <Effects trial={trial} arm={arm} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('trial.noneJudged', { days: formatNumber(trial.outcomeDays) })}
            </Text>
          )}
        </Panel>
      ))}
      <Panel title={t('trial.arms')}>
        <Arms trial={trial} arms={results.arms} />
        {results.daysLeft !== null && (
          <Text size="sm" mt="sm">
            {t(trial.status === 'RUNNING' ? 'trial.daysLeft' : 'trial.daysLeftStopped', {
              days: formatNumber(results.daysLeft),
            })}
          </Text>
        )}
      </Panel>
      {challengers.map((arm) => (
        <Panel key={arm.strategy} title={t('trial.power', versus(results, arm))}>
          <Power arm={arm} results={results} />
        </Panel>
      ))}
    </>
  )
}

const versus = ({ arms }: TrialResults, { strategyName }: Arm) => ({
  challenger: strategyName,
  champion: arms[0]!.strategyName,
})

function Effects({ trial, arm }: { trial: TrialItem; arm: Arm }) {
  const { t } = useTranslation()
  const effects = arm.effects!
  const widest = Math.max(...outcomes.flatMap((name) => [-effects[name].from, effects[name].to]))
  const money = (part: number) => formatMoney(part * trial.highestAmount, trial.currencyCode)
  const tell = (name: TrialOutcome) => {
    const { from, to } = effects[name]
    const kind = from > 0 ? 'more' : to < 0 ? 'less' : 'unclear'
    const [low, high] = kind === 'less' ? [-to, -from] : [kind === 'more' ? from : -from, to]
    const format = name === 'collectedAmount' ? money : points
    return t(`trial.${kind}.${name}`, { strategy: arm.strategyName, from: format(low), to: format(high) })
  }
  return (
    <Stack gap="xs">
      {outcomes.map((name) => (
        <Text key={name} size="sm">
          {tell(name)}
        </Text>
      ))}
      <IntervalChart
        intervals={outcomes.map((name) => ({ key: name, ...effects[name] }))}
        most={Math.min(1, ticksUpTo(Math.max(widest, 0.01)).at(-1)!)}
        format={points}
      />
      <Text size="xs" c="dimmed">
        {t('trial.axis')}
      </Text>
      <Text size="sm">{t('trial.holds')}</Text>
    </Stack>
  )
}

function Arms({ trial, arms }: { trial: TrialItem; arms: readonly Arm[] }) {
  const { t } = useTranslation()
  const show = (arm: Arm, name: TrialOutcome) => {
    if (arm.means === null) return '–'
    const mean = arm.means[name]
    return name === 'collectedAmount'
      ? formatMoney(mean * trial.highestAmount, trial.currencyCode)
      : `${points(mean)} %`
  }
  return (
    <TableFrame title={t('trial.arms')}>
      <thead>
        <tr>
          <th scope="col">{t('entity.strategy')}</th>
          <th scope="col" className="amount">
            {t('trial.share')}
          </th>
          <th scope="col" className="amount">
            {t('field.cases')}
          </th>
          <th scope="col" className="amount">
            {t('trial.judged')}
          </th>
          {outcomes.map((name) => (
            <th key={name} scope="col" className="amount">
              {t(`trial.outcome.${name}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {arms.map((arm) => (
          <tr key={arm.strategy}>
            <td>
              {arm.strategyName}
              {arm.isChampion && ` (${t('trial.champion')})`}
            </td>
            <td className="amount">{formatNumber(arm.share)} %</td>
            <td className="amount">{formatNumber(arm.cases)}</td>
            <td className="amount">{formatNumber(arm.matureCases)}</td>
            {outcomes.map((name) => (
              <td key={name} className="amount">
                {show(arm, name)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

/** How small a difference the cases show, and how many cases a difference needs. */
function Power({ arm, results }: { arm: Arm; results: TrialResults }) {
  const { t } = useTranslation()
  const power = arm.power!
  return (
    <Stack gap="xs">
      {power.detectableNow !== null && (
        <Text size="sm">
          {t('trial.powerNow', {
            cases: formatNumber(results.matureCases),
            points: points(power.detectableNow),
          })}
        </Text>
      )}
      <Text size="sm">
        {t('trial.powerPlanned', {
          cases: formatNumber(results.plannedCases),
          points: points(power.detectablePlanned),
        })}
      </Text>
      <TableFrame title={t('trial.needed')}>
        <thead>
          <tr>
            <th scope="col">{t('trial.difference')}</th>
            <th scope="col" className="amount">
              {t('trial.needed')}
            </th>
          </tr>
        </thead>
        <tbody>
          {power.needed.map(({ effect, cases }) => (
            <tr key={effect}>
              <td>{points(effect)}</td>
              <td className="amount">{cases === null ? '–' : formatNumber(cases)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
      <Text size="xs" c="dimmed">
        {t('trial.powerAbout')}
      </Text>
    </Stack>
  )
}
