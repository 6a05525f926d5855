import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../widgets/page.tsx'

export function NotFound() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')}>
      <Text size="sm">{t('notFound.about')}</Text>
      <Anchor component={Link} to="/" size="sm">
        {t('navigation.home')}
      </Anchor>
    </Page>
  )
}
