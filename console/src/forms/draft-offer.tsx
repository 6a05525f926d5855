import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../format/format.ts'
import type { useDraft } from './use-draft.ts'

/** Offers what was typed before and not stored. */
export function DraftOffer({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const { t } = useTranslation()
  const { offered, isOlder, restore, discard } = draft
  if (!offered) return null
  return (
    <Alert color="fjord" variant="light" title={t('draft.title')}>
      <Text size="sm">{t('draft.about', { time: formatDateTime(offered.at) })}</Text>
      {isOlder && <Text size="sm">{t('draft.older')}</Text>}
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={restore}>
          {t('draft.restore')}
        </Button>
        <Button size="xs" variant="default" onClick={discard}>
          {t('draft.discard')}
        </Button>
      </Group>
    </Alert>
  )
}
