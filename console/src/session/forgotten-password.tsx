import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { Card } from './card.tsx'
import { useWork } from '../widgets/use-work.ts'

export function ForgottenPassword({ login: first, onBack }: { login: string; onBack: () => void }) {
  const { t } = useTranslation()
  const [login, setLogin] = useState(first)
  const [sent, setSent] = useState(false)
  const work = useWork()
  const ask = async () => {
    await api.requestPasswordReset({ body: { login: login.trim() } })
    setSent(true)
  }
  return (
    <Card title={t('reset.title')} about={t('reset.about')}>
      {sent ? (
        <Text size="sm" role="status">
          {t('reset.sent')}
        </Text>
      ) : (
        <form onSubmit={work.onSubmit(ask)} noValidate>
          <Stack>
            <ProblemAlert error={work.error} />
            <TextInput
              label={t('signIn.login')}
              autoComplete="username"
              autoFocus
              value={login}
              onChange={(event) => setLogin(event.currentTarget.value)}
            />
            <Button type="submit" loading={work.busy} disabled={login.trim() === ''} fullWidth>
              {t('reset.send')}
            </Button>
          </Stack>
        </form>
      )}
      <Anchor component="button" type="button" size="sm" onClick={onBack} ta="start">
        {t('signIn.back')}
      </Anchor>
    </Card>
  )
}
