import { Badge, Box, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../api/queries.ts'
import { Icon } from '../widgets/icons.tsx'
import { Conditions } from './filter-conditions.tsx'
import { readFilter, writeFilter, type Filter } from './filter-text.ts'
import type { ListField } from './list-fields.ts'

interface FilterToggleProps {
  filter: string
  fields: readonly ListField[]
  opened: boolean
  onToggle: () => void
}

export function FilterToggle({ filter, fields, opened, onToggle }: FilterToggleProps) {
  const { t } = useTranslation()
  const count = filter === '' ? 0 : (readFilter(filter, fields)?.conditions.length ?? 1)
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Icon name="filter" size={15} />}
      rightSection={
        count > 0 ? (
          <Badge size="sm" circle>
            {count}
          </Badge>
        ) : undefined
      }
      aria-expanded={opened}
      onClick={onToggle}
    >
      {t('filter.title')}
    </Button>
  )
}

interface FilterPanelProps {
  filter: string
  fields: readonly ListField[]
  onFilter: (filter: string) => void
  error: unknown
}

/** Builds conditions and shows their `$filter`, which the user can also edit as text. */
export function FilterPanel({ filter, fields, onFilter, error }: FilterPanelProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Filter | undefined>(() => readFilter(filter, fields))
  const [text, setText] = useState(filter)
  const [byHand, setByHand] = useState(() => readFilter(filter, fields) === undefined)
  const change = (next: Filter) => {
    setDraft(next)
    setText(writeFilter(next, fields))
  }
  const write = (next: string) => {
    setText(next)
    setDraft(readFilter(next, fields))
  }
  const said = isProblem(error) ? error.errors['$filter']?.join(' ') : undefined
  const model = draft ?? { any: false, conditions: [] }
  return (
    <Box
      component="form"
      px="sm"
      pb="sm"
      onSubmit={(event) => {
        event.preventDefault()
        onFilter(text.trim())
      }}
    >
      <Stack
        gap="xs"
        p="sm"
        style={{ background: 'var(--fordra-ground)', borderRadius: 'var(--mantine-radius-sm)' }}
      >
        {draft === undefined ? (
          <Text size="sm" c="dimmed">
            {t('filter.byHandOnly')}
          </Text>
        ) : (
          <Conditions model={model} fields={fields} onChange={change} />
        )}
        {byHand ? (
          <Textarea
            label={t('filter.text')}
            className="code"
            autosize
            minRows={1}
            value={text}
            error={said}
            onChange={(event) => write(event.currentTarget.value)}
          />
        ) : (
          text !== '' && (
            <Text size="xs" c="dimmed" className="code" style={{ overflowWrap: 'anywhere' }}>
              $filter={text}
            </Text>
          )
        )}
        <Group gap="xs">
          <Button type="submit" size="xs">
            {t('filter.apply')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              change({ any: false, conditions: [] })
              onFilter('')
            }}
          >
            {t('filter.clear')}
          </Button>
          {!byHand && (
            <Button size="xs" variant="subtle" onClick={() => setByHand(true)}>
              {t('filter.byHand')}
            </Button>
          )}
        </Group>
      </Stack>
    </Box>
  )
}
