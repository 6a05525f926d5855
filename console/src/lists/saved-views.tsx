import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../widgets/icons.tsx'
import type { ListSearch } from './list-search.ts'
import { findView, type ListSettings, type SavedView } from './settings.ts'
import { ToolButton } from './tools/tool-button.tsx'

export interface SavedViewsProps {
  search: ListSearch
  settings: ListSettings
  onSettings: (settings: ListSettings) => void
  onSearch: (search: ListSearch) => void
}

const viewsMax = 50

/** The user's own saved views: named filters and orders. Open at first: they are loaded by a press. */
export default function SavedViews({ search, settings, onSettings, onSearch }: SavedViewsProps) {
  const { t } = useTranslation()
  const [opened, { toggle, close }] = useDisclosure(true)
  const [name, setName] = useState('')
  const views = settings.views ?? []
  const current = findView(settings, search)
  const show = ({ filter, sort }: SavedView) => {
    onSearch({ filter, sort })
    close()
  }
  const save = () => {
    const view: SavedView = {
      name: name.trim(),
      ...(search.filter && { filter: search.filter }),
      ...(search.sort && { sort: search.sort }),
    }
    onSettings({ views: [...views.filter((one) => one.name !== view.name), view].slice(-viewsMax) })
    setName('')
    close()
  }
  return (
    <Popover opened={opened} onChange={toggle} position="bottom-start" trapFocus>
      <Popover.Target>
        <ToolButton icon="bookmark" autoFocus onClick={toggle} aria-expanded={opened}>
          {current?.name ?? t('views.title')}
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('views.title')}>
        <Stack gap="xs" w={270}>
          {views.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('views.none')}
            </Text>
          )}
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap">
              <UnstyledButton fz="sm" flex={1} onClick={() => show(view)} aria-current={view === current}>
                {view.name}
              </UnstyledButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t('views.remove', { name: view.name })}
                onClick={() => onSettings({ views: views.filter((one) => one !== view) })}
              >
                <Icon name="close" size={13} />
              </ActionIcon>
            </Group>
          ))}
          <Group
            gap="xs"
            align="flex-end"
            wrap="nowrap"
            component="form"
            onSubmit={(event) => {
              event.preventDefault()
              if (name.trim() !== '') save()
            }}
          >
            <TextInput
              size="xs"
              flex={1}
              label={t('views.name')}
              value={name}
              maxLength={60}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button size="xs" type="submit" disabled={name.trim() === ''}>
              {t('action.save')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
