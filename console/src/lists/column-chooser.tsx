import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../texts/labels.ts'
import { Icon } from '../widgets/icons.tsx'
import type { ListField } from './list-fields.ts'
import { ToolButton } from './tools/tool-button.tsx'

export interface ColumnChooserProps {
  fields: readonly ListField[]
  columns: string[]
  standard: readonly string[]
  onColumns: (columns: string[]) => void
  /** Rows with less space. */
  dense: boolean
  onDense: (dense: boolean) => void
}

/** Chooses the columns and their order. Open at first: it is loaded by a press. */
export default function ColumnChooser(props: ColumnChooserProps) {
  const { fields, columns, standard, onColumns, dense, onDense } = props
  const { t } = useTranslation()
  const label = useLabels()
  const labelField = ({ name, title }: ListField) => label(`field.${name}`, title)
  const shown = columns.flatMap((column) => fields.find(({ name }) => name === column) ?? [])
  const hidden = fields.filter(({ name }) => !columns.includes(name))
  const toggle = (name: string) =>
    onColumns(columns.includes(name) ? columns.filter((column) => column !== name) : [...columns, name])
  const raise = (index: number) =>
    onColumns(columns.with(index - 1, columns[index]!).with(index, columns[index - 1]!))
  return (
    <Popover position="bottom-end" trapFocus defaultOpened>
      <Popover.Target>
        <ToolButton icon="columns" autoFocus>
          {t('columns.title')}
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('columns.title')}>
        <ScrollArea.Autosize mah={380} w={270}>
          <Stack gap={4} p={4}>
            {shown.map((field, index) => (
              <Group key={field.name} justify="space-between" wrap="nowrap">
                <Checkbox
                  size="xs"
                  label={labelField(field)}
                  checked
                  disabled={columns.length === 1}
                  onChange={() => toggle(field.name)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  disabled={index === 0}
                  aria-label={t('columns.raise', { field: labelField(field) })}
                  onClick={() => raise(index)}
                >
                  <Icon name="up" size={13} />
                </ActionIcon>
              </Group>
            ))}
            {hidden.map((field) => (
              <Checkbox
                key={field.name}
                size="xs"
                label={labelField(field)}
                checked={false}
                onChange={() => toggle(field.name)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Checkbox
          size="xs"
          mt="xs"
          px={4}
          label={t('columns.dense')}
          checked={dense}
          onChange={(event) => onDense(event.currentTarget.checked)}
        />
        <Button size="xs" variant="subtle" mt="xs" onClick={() => onColumns([...standard])}>
          {t('columns.standard')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
