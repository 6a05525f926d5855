import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { Card } from './card.tsx'

/** Where the link of the message leads. The token is behind the `#`, which no server and no log ever sees. */
export default function PasswordReset() {
  const { t } = useTranslation()
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '')
  const [password, setPassword] = useState('')
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking')
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setState('busy')
    setError(null)
    try {
      await api.resetPassword({ body: { token, password } })
      setState('done')
    } catch (failure) {
      setError(failure)
      setState('asking')
    }
  }
  if (state === 'done') {
    return (
      <Card title={t('reset.title')}>
        <Text size="sm" role="status">
          {t('reset.done')}
        </Text>
        <Button component="a" href="/">
          {t('signIn.submit')}
        </Button>
      </Card>
    )
  }
  const said = isProblem(error) ? error.errors['password']?.join(' ') : undefined
  return (
    <Card title={t('reset.new')} about={t('profile.passwordRule')}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          {said === undefined && <ProblemAlert error={error} />}
          <PasswordInput
            label={t('profile.newPassword')}
            autoComplete="new-password"
            autoFocus
            value={password}
            error={said}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          />
          <Button
            type="submit"
            loading={state === 'busy'}
            disabled={password === '' || token === ''}
            fullWidth
          >
            {t('reset.set')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
