import { Alert, Button, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { findSession } from './session.ts'

export function ServiceUnavailable() {
  const { t } = useTranslation()
  return (
    <Stack maw={440}>
      <Alert color="yellow" variant="light" title={t('problem.away')} role="alert">
        {t('problem.awayDetail')}
      </Alert>
      <Button variant="default" onClick={() => void findSession()}>
        {t('action.tryAgain')}
      </Button>
    </Stack>
  )
}
