import { Box, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../api/queries.ts'
import { Conditions } from './filter-conditions.tsx'
import { readFilter, writeFilter, type Filter } from './filter-text.ts'
import type { ListField } from './list-fields.ts'

interface FilterPanelProps {
  filter: string
  fields: readonly ListField[]
  onFilter: (filter: string) => void
  error: unknown
}

/** Builds conditions, which the user can also write as text. */
export default function FilterPanel({ filter, fields, onFilter, error }: FilterPanelProps) {
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
        {byHand && (
          <Textarea
            label={t('filter.text')}
            className="code"
            autosize
            minRows={1}
            value={text}
            error={said}
            onChange={(event) => write(event.currentTarget.value)}
          />
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
