import { Button, Group } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page } from '../widgets/page.tsx'
import { ProblemAlert } from '../widgets/problem-alert.tsx'

/** Shown when a screen throws, or cannot be loaded because a newer console has been deployed. */
export function ScreenFailed({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <Page title={t('problem.unexpected')}>
      <ProblemAlert error={error} />
      <Group>
        <Button variant="default" onClick={() => window.location.reload()}>
          {t('action.reload')}
        </Button>
      </Group>
    </Page>
  )
}
