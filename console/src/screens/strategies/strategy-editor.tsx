import { Button, Checkbox, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StrategyItem } from '../../../../contract/collection/strategies.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { SimulationPanel } from './simulation-panel.tsx'
import { DraftChanges } from './draft-changes.tsx'
import { StrategyFlow } from './flow/strategy-flow.tsx'
import { StepEditor } from './step-editor.tsx'
import { toDraft } from './steps.ts'
import { useStepRows } from './use-step-rows.ts'
import { useStrategyDraft } from './use-strategy-draft.ts'

interface StrategyEditorProps {
  /** Undefined for a new one. */
  strategy?: StrategyItem
  etag?: string | undefined
  onDone: (strategy: StrategyItem) => void
  onCancel: () => void
}

/** Creates or changes a strategy, which can be simulated before it is stored. */
export function StrategyEditor({ strategy, etag, onDone, onCancel }: StrategyEditorProps) {
  const { t } = useTranslation()
  const work = useWork()
  const [code, setCode] = useState('')
  const [name, setName] = useState(strategy?.name ?? '')
  const [source, setSource] = useState(strategy?.source ?? '')
  const [running, setRunning] = useState(false)
  const { rows, steps, list, reset, ...change } = useStepRows(strategy)
  const draft = useStrategyDraft(strategy?.strategyGuid ?? 'new', etag, {
    values: { code, name, source, running, steps: JSON.stringify(steps) },
    restore: (kept) => {
      setCode(kept.code)
      setName(kept.name)
      setSource(kept.source)
      setRunning(kept.running)
      reset(JSON.parse(kept.steps) as typeof steps)
    },
  })
  const store = async () => {
    const stored = strategy
      ? await api.updateStrategy(
          { strategyGuid: strategy.strategyGuid, body: { name, source, steps, running } },
          etag === undefined ? {} : { ifMatch: etag },
        )
      : await api.createStrategy({ body: { code, name, source, steps } })
    draft.drop()
    noticeDone(t('form.stored'))
    await refresh('listStrategies', 'getStrategy')
    onDone(stored)
  }
  return (
    <Stack gap="md">
      <StrategyFlow steps={steps} onEdit={change.focus} />
      <form ref={list} onSubmit={work.onSubmit(store)} onKeyDown={change.addByKey}>
        <Panel title={strategy ? t('strategy.edit') : t('strategy.new')}>
          <Stack gap="md">
            <DraftOffer draft={draft} />
            {!strategy && (
              <TextInput
                label={t('strategy.code')}
                required
                maxLength={50}
                value={code}
                onChange={(event) => setCode(event.currentTarget.value.toUpperCase())}
              />
            )}
            <TextInput
              label={t('field.name')}
              required
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Textarea
              label={t('strategy.source')}
              autosize
              value={source}
              onChange={(event) => setSource(event.currentTarget.value)}
            />
            {rows.map(({ key, step }, index) => (
              <StepEditor
                key={key}
                step={step}
                number={index + 1}
                count={rows.length}
                onChange={(next) => change.replace(key, next)}
                onMove={(by) => change.move(index, by)}
                onRemove={() => change.remove(key)}
              />
            ))}
            <Group>
              <Button variant="default" leftSection={<Icon name="plus" size={15} />} onClick={change.add}>
                {t('strategy.newStep')}
              </Button>
            </Group>
            {strategy && (
              <Checkbox
                label={t('strategy.running')}
                description={t('strategy.runningAbout')}
                checked={running}
                onChange={(event) => setRunning(event.currentTarget.checked)}
              />
            )}
            <ProblemAlert error={work.error} />
            <SaveButtons busy={work.busy} onCancel={onCancel} />
          </Stack>
        </Panel>
      </form>
      {strategy && <DraftChanges inForce={strategy.steps.map(toDraft)} draft={steps} />}
      <SimulationPanel
        strategyGuid={strategy?.strategyGuid}
        steps={steps}
        known={strategy?.steps ?? []}
        running={running}
      />
    </Stack>
  )
}

function SaveButtons({ busy, onCancel }: { busy: boolean; onCancel: () => void }) {
  const { t } = useTranslation()
  return (
    <Group>
      <Button type="submit" loading={busy}>
        {t('action.save')}
      </Button>
      <Button variant="default" onClick={onCancel}>
        {t('action.cancel')}
      </Button>
    </Group>
  )
}
