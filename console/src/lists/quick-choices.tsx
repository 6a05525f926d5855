import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ListSearch } from './list-search.ts'

export interface QuickChoice {
  label: string
  filter?: string
  sort?: string
}

interface QuickChoicesProps {
  choices: readonly QuickChoice[]
  filter: string
  sort: string | undefined
  onChoose: (search: ListSearch) => void
}

/** Buttons for named filters. The active one is pressed. */
export function QuickChoices({ choices, filter, sort, onChoose }: QuickChoicesProps) {
  const { t } = useTranslation()
  return (
    <Group gap={6} px="sm" pt="sm" className="no-print" role="group" aria-label={t('list.quickFilters')}>
      {choices.map((choice) => {
        const chosen = (choice.filter ?? '') === filter && (choice.sort === undefined || choice.sort === sort)
        return (
          <Button
            key={choice.label}
            size="compact-sm"
            radius="xl"
            variant={chosen ? 'light' : 'default'}
            aria-pressed={chosen}
            onClick={() => onChoose({ filter: choice.filter, sort: choice.sort, page: undefined })}
          >
            {choice.label}
          </Button>
        )
      })}
    </Group>
  )
}
