import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { isProblem } from '../../api/queries.ts'
import { errorMessage } from '../../forms/fault-message.ts'
import { useUser } from '../../session/session.ts'
import { CurrentPassword } from '../../widgets/current-password.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

export function PasswordForm() {
  const { t } = useTranslation()
  const user = useUser()
  const [currentPassword, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const work = useWork()
  const change = async () => {
    await api.updateCurrentUser({ body: { currentPassword, password } })
    setCurrent('')
    setPassword('')
    noticeDone(t('profile.passwordChanged'))
  }
  const { error } = work
  const said = (member: string) => {
    const messages = isProblem(error) ? error.errors[member] : undefined
    return messages && errorMessage(messages)
  }
  const toggle = { 'aria-label': t('signIn.showPassword') }
  return (
    <form onSubmit={work.onSubmit(change)} noValidate>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('profile.passwordRule')}
        </Text>
        {said('password') === undefined && said('currentPassword') === undefined && (
          <ProblemAlert error={error} />
        )}
        {/* For password managers, which ask whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
        <CurrentPassword value={currentPassword} error={said('currentPassword')} onChange={setCurrent} />
        <PasswordInput
          label={t('profile.newPassword')}
          autoComplete="new-password"
          value={password}
          error={said('password')}
          aria-invalid={said('password') !== undefined}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={toggle}
        />
        <Button
          type="submit"
          loading={work.busy}
          disabled={currentPassword === '' || password === ''}
          w="fit-content"
        >
          {t('profile.changePassword')}
        </Button>
      </Stack>
    </form>
  )
}
