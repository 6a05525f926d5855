import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readFilter } from '../filter-text.ts'
import type { ListField } from '../list-fields.ts'
import { ToolButton } from './tool-button.tsx'

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
    <ToolButton
      icon="filter"
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
    </ToolButton>
  )
}
