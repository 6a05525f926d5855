import { Button, Group, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StrategyStepInput } from '../../../../contract/collection/strategies.ts'
import { caseStatuses, isOpenStatus, services } from '../../../../core/cases/case-lifecycle.ts'
import { LookupMany } from '../../forms/lookups/lookup-many.tsx'
import { translateLabel } from '../../texts/labels.ts'
import { statusLabel, subStatusLabel } from '../cases/status-badge.tsx'
import { ActionEditor } from './action-editor.tsx'
import { newAction, openStatuses } from './steps.ts'

interface StepEditorProps {
  step: StrategyStepInput
  number: number
  count: number
  onChange: (step: StrategyStepInput) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

const parseNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** One step: the status and days of a case, the conditions, and the actions. */
export function StepEditor({ step, number, count, onChange, onMove, onRemove }: StepEditorProps) {
  const { t } = useTranslation()
  const change = (more: Partial<StrategyStepInput>) => onChange({ ...step, ...more })
  const name = `${t('strategy.step')} ${number}`
  const subStatuses = isOpenStatus(step.status) ? caseStatuses[step.status].subStatuses : []
  const changeAction = (at: number, action: Record<string, unknown> | null) =>
    change({ actions: step.actions.flatMap((one, index) => (index !== at ? [one] : action ? [action] : [])) })
  return (
    <fieldset style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 6, margin: 0 }}>
      <legend style={{ padding: '0 0.4rem', fontWeight: 600 }}>
        {name} · {step.code}
      </legend>
      <Stack gap="sm" p="xs">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
          <TextInput
            label={t('strategy.code')}
            value={step.code}
            required
            maxLength={50}
            onChange={(event) => change({ code: event.currentTarget.value.toUpperCase() })}
          />
          <Select
            label={t('field.status')}
            data={openStatuses.map((value) => ({ value, label: statusLabel(value) }))}
            value={step.status}
            allowDeselect={false}
            onChange={(status) => change({ status: status!, subStatus: null })}
          />
          <Select
            label={t('field.subStatus')}
            data={subStatuses.map((value) => ({ value, label: subStatusLabel(value) }))}
            value={step.subStatus ?? null}
            placeholder={t('strategy.any')}
            clearable
            clearButtonProps={{ 'aria-label': t('form.clear', { field: t('field.subStatus') }) }}
            onChange={(subStatus) => change({ subStatus })}
          />
          <TextInput
            label={t('strategy.afterDays')}
            type="number"
            min={0}
            required
            value={String(step.afterDays)}
            onChange={(event) => change({ afterDays: Number(event.currentTarget.value) })}
          />
        </SimpleGrid>
        <Conditions step={step} change={change} />
        {step.actions.map((action, index) => (
          <ActionEditor
            key={index}
            action={action}
            name={`${name}, ${t('strategy.action')} ${index + 1}`}
            onChange={(next) => changeAction(index, next)}
            onRemove={() => changeAction(index, null)}
          />
        ))}
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => change({ actions: [...step.actions, newAction('letter')] })}
          >
            {t('strategy.newAction')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={number === 1}
            aria-label={`${t('strategy.up')}: ${name}`}
            onClick={() => onMove(-1)}
          >
            {t('strategy.up')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={number === count}
            aria-label={`${t('strategy.down')}: ${name}`}
            onClick={() => onMove(1)}
          >
            {t('strategy.down')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            color="red"
            aria-label={`${t('action.delete')}: ${name}`}
            onClick={onRemove}
          >
            {t('action.delete')}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  )
}

function Conditions({
  step,
  change,
}: {
  step: StrategyStepInput
  change: (more: Partial<StrategyStepInput>) => void
}) {
  const { t } = useTranslation()
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
      <Select
        label={t('field.service')}
        data={services.map((value) => ({
          value,
          label: translateLabel(`lookup.caseservice.${value}`, value),
        }))}
        value={step.service ?? null}
        placeholder={t('strategy.any')}
        clearable
        clearButtonProps={{ 'aria-label': t('form.clear', { field: t('field.service') }) }}
        onChange={(service) => change({ service })}
      />
      <LookupMany
        code="country"
        label={t('strategy.countries')}
        placeholder={t('strategy.any')}
        value={step.countries ?? []}
        onChange={(countries) => change({ countries: countries.length > 0 ? countries : null })}
      />
      <LookupMany
        code="currency"
        label={t('strategy.currencies')}
        placeholder={t('strategy.any')}
        value={step.currencies ?? []}
        onChange={(currencies) => change({ currencies: currencies.length > 0 ? currencies : null })}
      />
      <TextInput
        label={t('strategy.amountFrom')}
        type="number"
        min={0}
        step="0.01"
        value={step.amountFrom ?? ''}
        onChange={(event) => change({ amountFrom: parseNumber(event.currentTarget.value) })}
      />
      <TextInput
        label={t('strategy.amountBelow')}
        type="number"
        min={0}
        step="0.01"
        value={step.amountBelow ?? ''}
        onChange={(event) => change({ amountBelow: parseNumber(event.currentTarget.value) })}
      />
      <Select
        label={t('strategy.onPlan')}
        data={[
          { value: 'true', label: t('strategy.yes') },
          { value: 'false', label: t('strategy.no') },
        ]}
        value={typeof step.onPlan === 'boolean' ? String(step.onPlan) : null}
        placeholder={t('strategy.any')}
        clearable
        clearButtonProps={{ 'aria-label': t('form.clear', { field: t('strategy.onPlan') }) }}
        onChange={(value) => change({ onPlan: value === null ? null : value === 'true' })}
      />
    </SimpleGrid>
  )
}
