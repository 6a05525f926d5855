import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isDate } from '../../../core/calendar/calendar.ts'
import { codeLabel, useLabels } from '../texts/labels.ts'
import { DayField } from '../widgets/days/day-field.tsx'
import { Icon } from '../widgets/icons.tsx'
import { listOperators, takesValue, type Condition, type Filter } from './filter-text.ts'
import type { ListField } from './list-fields.ts'

interface ConditionsProps {
  model: Filter
  fields: readonly ListField[]
  onChange: (filter: Filter) => void
}

/** Conditions as rows of field, operator and value. */
export function Conditions({ model, fields, onChange }: ConditionsProps) {
  const { t } = useTranslation()
  const replace = (index: number, next: Condition | undefined) =>
    onChange({
      ...model,
      conditions: model.conditions.flatMap((one, at) => (at === index ? (next ?? []) : one)),
    })
  const add = () => {
    const field = fields.find(
      ({ filterable, filterOnly, kind }) => filterable && !filterOnly && kind !== 'guid',
    )!
    onChange({ ...model, conditions: [...model.conditions, emptyCondition(field)] })
  }
  return (
    <Stack gap="xs">
      {model.conditions.length > 1 && (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label={t('filter.match')}
          value={model.any ? 'any' : 'all'}
          onChange={(value) => onChange({ ...model, any: value === 'any' })}
          data={[
            { value: 'all', label: t('filter.all') },
            { value: 'any', label: t('filter.any') },
          ]}
        />
      )}
      {model.conditions.map((condition, index) => (
        <ConditionRow
          key={index}
          condition={condition}
          fields={fields}
          onChange={(next) => replace(index, next)}
        />
      ))}
      <Button
        size="xs"
        variant="subtle"
        w="fit-content"
        leftSection={<Icon name="plus" size={14} />}
        onClick={add}
      >
        {t('filter.add')}
      </Button>
    </Stack>
  )
}

const emptyCondition = (field: ListField): Condition => ({
  member: field.name,
  operator: listOperators(field.kind)[0]!,
  value: field.kind === 'boolean' ? 'true' : (field.choices[0]?.value ?? ''),
})

interface ConditionRowProps {
  condition: Condition
  fields: readonly ListField[]
  onChange: (condition: Condition | undefined) => void
}

function ConditionRow({ condition, fields, onChange }: ConditionRowProps) {
  const { t } = useTranslation()
  const label = useLabels()
  const field = fields.find(({ name }) => name === condition.member)!
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Select
        size="xs"
        w={190}
        searchable
        aria-label={t('filter.field')}
        data={fields
          .filter(({ name, filterable, filterOnly }) => (filterOnly ? name === condition.member : filterable))
          .map(({ name, title }) => ({ value: name, label: label(`field.${name}`, title) }))}
        value={condition.member}
        allowDeselect={false}
        onChange={(name) => onChange(emptyCondition(fields.find((one) => one.name === name)!))}
      />
      <Select
        size="xs"
        w={160}
        aria-label={t('filter.operator')}
        data={listOperators(field.kind).map((value) => ({
          value,
          label: t(
            field.kind === 'date' && value === 'ge'
              ? 'operator.from'
              : field.kind === 'date' && value === 'lt'
                ? 'operator.before'
                : `operator.${value}`,
          ),
        }))}
        value={condition.operator}
        allowDeselect={false}
        onChange={(operator) => onChange({ ...condition, operator: operator! })}
      />
      {takesValue(condition.operator) && (
        <ConditionValue
          field={field}
          value={condition.value}
          onChange={(value) => onChange({ ...condition, value })}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('filter.remove')}
        onClick={() => onChange(undefined)}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    </Group>
  )
}

function ConditionValue({
  field,
  value,
  onChange,
}: {
  field: ListField
  value: string
  onChange: (value: string) => void
}) {
  const { t } = useTranslation()
  const name = t('filter.value')
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const data =
      field.kind === 'boolean'
        ? [
            { value: 'true', label: t('value.yes') },
            { value: 'false', label: t('value.no') },
          ]
        : field.choices.map((choice) => ({
            value: choice.value,
            label: codeLabel(field.name, choice.value.replaceAll("'", ''), choice.title),
          }))
    return (
      <Select
        size="xs"
        w={220}
        aria-label={name}
        data={data}
        value={value}
        allowDeselect={false}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  }
  if (field.kind === 'date')
    return (
      <DayField
        size="xs"
        w={220}
        aria-label={name}
        value={value.slice(0, 10)}
        onChange={(day) => (day === '' || isDate(day)) && onChange(day)}
      />
    )
  return (
    <TextInput
      size="xs"
      w={220}
      aria-label={name}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
