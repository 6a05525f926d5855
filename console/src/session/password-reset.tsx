import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { errorMessage } from '../forms/fault-message.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { Card } from './card.tsx'
import { useWork } from '../widgets/use-work.ts'

/** The target of the links of invitations and forgotten passwords. The token is after the `#`, so it is never sent to a server or logged. */
export default function PasswordReset({ isInvitation = false }: { isInvitation?: boolean }) {
  const { t } = useTranslation()
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '')
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const work = useWork()
  const set = async () => {
    const body = { token, password }
    await (isInvitation ? api.acceptInvitation({ body }) : api.resetPassword({ body }))
    setDone(true)
  }
  if (done) {
    return (
      <Card title={t(isInvitation ? 'invitation.title' : 'reset.title')}>
        <Text size="sm" role="status">
          {t(isInvitation ? 'invitation.done' : 'reset.done')}
        </Text>
        <Button component="a" href="/">
          {t('signIn.submit')}
        </Button>
      </Card>
    )
  }
  const messages = isProblem(work.error) ? work.error.errors['password'] : undefined
  const said = messages && errorMessage(messages)
  return (
    <Card title={t(isInvitation ? 'invitation.new' : 'reset.new')} about={t('profile.passwordRule')}>
      <form onSubmit={work.onSubmit(set)} noValidate>
        <Stack>
          {said === undefined && <ProblemAlert error={work.error} />}
          <PasswordInput
            label={t('profile.newPassword')}
            autoComplete="new-password"
            autoFocus
            value={password}
            error={said}
            aria-invalid={said !== undefined}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          />
          <Button type="submit" loading={work.busy} disabled={password === '' || token === ''} fullWidth>
            {t('reset.set')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
