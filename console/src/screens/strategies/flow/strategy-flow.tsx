import { Anchor, Text, UnstyledButton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StrategyStepInput } from '../../../../../contract/collection/strategies.ts'
import { formatNumber } from '../../../format/format.ts'
import { Icon } from '../../../widgets/icons.tsx'
import { Panel } from '../../../widgets/page.tsx'
import { statusLabel, subStatusLabel } from '../../cases/status-badge.tsx'
import { describeAction, describeConditions, nameStep } from '../steps.ts'
import { gutterWidth, listLanes } from './flow-lines.ts'
import { listPlaces, type FlowPlace, type FlowStep } from './flow-places.ts'
import { useFlowLines } from './use-flow-lines.ts'

interface StrategyFlowProps {
  steps: readonly StrategyStepInput[]
  /** Goes to the editor of the step at this position, where there is one. */
  onEdit?: (index: number) => void
}

/**
 * A strategy as a drawing: where a case stands, the steps that wait there, and where they lead. The boxes are lists in
 * reading order, so that they say all without the lines.
 */
export function StrategyFlow({ steps, onEdit }: StrategyFlowProps) {
  const { t } = useTranslation()
  const places = useMemo(() => listPlaces(steps), [steps])
  const { flow, lines, width, height } = useFlowLines(places)
  const [near, setNear] = useState<number>()
  return (
    <Panel title={t('strategy.flow')}>
      <Text size="xs" c="dimmed" mb="sm">
        {t(onEdit ? 'strategy.flowEdit' : 'strategy.flowAbout')}
      </Text>
      <div ref={flow} className="flow" style={{ paddingInlineStart: gutterWidth(listLanes(places).length) }}>
        <svg className="flow-lines" width={width} height={height} aria-hidden="true">
          <defs>
            <marker
              id="flow-arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M1 1 7 4 1 7Z" />
            </marker>
          </defs>
          {lines.map(({ step, path, isLeading }, at) => (
            <path
              key={at}
              d={path}
              data-near={step === near || undefined}
              markerEnd={isLeading ? 'url(#flow-arrow)' : undefined}
            />
          ))}
        </svg>
        <ol className="flow-places">
          {places.map((place) => (
            <li key={place.key}>
              <Place place={place} />
              <ol className="flow-steps" aria-label={t('strategy.stepsAt', { place: placeName(place) })}>
                {place.steps.map((step) => (
                  <li
                    key={step.index}
                    className="flow-step"
                    data-step={step.index}
                    onMouseEnter={() => setNear(step.index)}
                    onMouseLeave={() => setNear(undefined)}
                    onFocus={() => setNear(step.index)}
                    onBlur={() => setNear(undefined)}
                  >
                    <StepCard step={step} places={places} onEdit={onEdit} />
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ol>
      </div>
    </Panel>
  )
}

const placeName = ({ status, subStatus }: Pick<FlowPlace, 'status' | 'subStatus'>): string =>
  subStatus === null ? statusLabel(status) : `${statusLabel(status)}, ${subStatusLabel(subStatus)}`

function Place({ place }: { place: FlowPlace }) {
  const { t } = useTranslation()
  return (
    <div className="flow-place" data-place={place.key} data-entry={place.isEntry || undefined} tabIndex={-1}>
      <strong>{placeName(place)}</strong>
      {place.subStatus === null && <span>{t('strategy.anySubStatus')}</span>}
      {place.steps.length === 0 && <span>{t('strategy.flowEnd')}</span>}
    </div>
  )
}

interface StepCardProps {
  step: FlowStep
  places: readonly FlowPlace[]
  onEdit: StrategyFlowProps['onEdit']
}

/** A step: how long it waits, for which cases it is, what it does and where it leads. */
function StepCard({ step: { index, step, leadsTo }, places, onEdit }: StepCardProps) {
  const { t } = useTranslation()
  const name = nameStep(step)
  const conditions = describeConditions(step, t('strategy.onPlan'))
  return (
    <>
      <span className="flow-wait">
        <Icon name="jobs" size={13} />
        {step.afterDays === 0
          ? t('strategy.atOnce')
          : t('strategy.afterWait', { count: step.afterDays, days: formatNumber(step.afterDays) })}
      </span>
      {onEdit ? (
        <UnstyledButton className="flow-name" onClick={() => onEdit(index)}>
          {name}
        </UnstyledButton>
      ) : (
        <strong className="flow-name">{name}</strong>
      )}
      {conditions.length > 0 && (
        <ul className="flow-conditions" aria-label={t('strategy.conditions')}>
          {conditions.map((condition) => (
            <li key={condition}>{condition}</li>
          ))}
        </ul>
      )}
      <ul className="flow-actions" aria-label={t('strategy.actions')}>
        {step.actions
          .filter(({ kind }) => kind !== 'status')
          .map((action, at) => (
            <li key={at}>{describeAction(action)}</li>
          ))}
      </ul>
      {leadsTo.length === 0 && <span className="flow-stays">{t('strategy.stays')}</span>}
      {leadsTo.map((key) => (
        <Anchor
          key={key}
          component="button"
          type="button"
          size="xs"
          ta="start"
          onClick={() => focusPlace(key)}
        >
          {t('strategy.leadsTo', { place: placeName(places.find((one) => one.key === key)!) })}
        </Anchor>
      ))}
    </>
  )
}

function focusPlace(key: string): void {
  const place = document.querySelector<HTMLElement>(`[data-place="${CSS.escape(key)}"]`)
  place?.focus({ preventScroll: true })
  place?.scrollIntoView({ block: 'nearest' })
}
