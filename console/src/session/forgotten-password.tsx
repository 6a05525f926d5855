import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { Card } from './card.tsx'

export function ForgottenPassword({ login: first, onBack }: { login: string; onBack: () => void }) {
  const { t } = useTranslation()
  const [login, setLogin] = useState(first)
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking')
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('busy')
    setError(null)
    try {
      await api.requestPasswordReset({ body: { login: login.trim() } })
      setState('sent')
    } catch (failure) {
      setError(failure)
      setState('asking')
    }
  }
  return (
    <Card title={t('reset.title')} about={t('reset.about')}>
      {state === 'sent' ? (
        <Text size="sm" role="status">
          {t('reset.sent')}
        </Text>
      ) : (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack>
            <ProblemAlert error={error} />
            <TextInput
              label={t('signIn.login')}
              autoComplete="username"
              autoFocus
              value={login}
              onChange={(event) => setLogin(event.currentTarget.value)}
            />
            <Button type="submit" loading={state === 'busy'} disabled={login.trim() === ''} fullWidth>
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
