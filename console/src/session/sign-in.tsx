import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MfaRequired } from '../../../contract/access/sessions.ts'
import { api } from '../api/client.ts'
import { isProblem, reading } from '../api/queries.ts'
import { translateLabel } from '../texts/labels.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { Card } from './card.tsx'
import { CodeStep } from './code-step.tsx'
import { ForgottenPassword } from './forgotten-password.tsx'
import { findSession, rememberSession } from './session.ts'
import { useWork } from '../widgets/use-work.ts'

type Step = { name: 'password' } | { name: 'forgotten' } | { name: 'code'; challenge: MfaRequired }

/** `again` is the login of a session that ended during work; a dialog then frames the form. */
export function SignIn({ again }: { again?: string }) {
  const { t } = useTranslation()
  const [step, setStep] = useState<Step>({ name: 'password' })
  const [login, setLogin] = useState(again ?? '')
  const back = () => setStep({ name: 'password' })
  if (step.name === 'forgotten') return <ForgottenPassword login={login} onBack={back} />
  const content =
    step.name === 'code' ? (
      <CodeStep challenge={step.challenge} onBack={back} />
    ) : (
      <PasswordStep
        login={login}
        onLogin={setLogin}
        onForgotten={() => setStep({ name: 'forgotten' })}
        onChallenge={(challenge) => setStep({ name: 'code', challenge })}
      />
    )
  if (again !== undefined) return content
  return (
    <Card title={t(step.name === 'code' ? 'signIn.code' : 'signIn.title')}>
      <ReturnedError />
      {content}
    </Card>
  )
}

/** A refusal of the outside provider is returned in the address. */
function ReturnedError() {
  const code = new URLSearchParams(window.location.search).get('error')
  if (!code?.startsWith('oidc-')) return null
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {translateLabel(`signIn.${code}`, translateLabel('signIn.oidc-failed', code))}
    </Text>
  )
}

interface PasswordStepProps {
  login: string
  onLogin: (login: string) => void
  onForgotten: () => void
  onChallenge: (challenge: MfaRequired) => void
}

function PasswordStep({ login, onLogin, onForgotten, onChallenge }: PasswordStepProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const work = useWork()
  const signIn = async () => {
    try {
      const answer = await api.login({ body: { login: login.trim(), password } })
      if ('mfaRequired' in answer) onChallenge(answer)
      else await findSession()
    } catch (failure) {
      setPassword('')
      throw failure
    }
  }
  return (
    <form onSubmit={work.onSubmit(signIn)}>
      <Stack>
        {isProblem(work.error, 'login-failed') ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('signIn.failed')}
          </Text>
        ) : (
          <ProblemAlert error={work.error} />
        )}
        <TextInput
          label={t('signIn.login')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          autoFocus={login === ''}
          value={login}
          onChange={(event) => onLogin(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={login !== ''}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        />
        <Button type="submit" loading={work.busy} fullWidth>
          {t('signIn.submit')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onForgotten}>
          {t('signIn.forgotten')}
        </Anchor>
        <ProviderButton />
      </Stack>
    </form>
  )
}

function ProviderButton() {
  const { t } = useTranslation()
  const { data } = useQuery(reading('listSignInWays'))
  const provider = data?.body.oidc
  if (!provider) return null
  const returnTo = window.location.pathname + window.location.search.replace(/[?&]error=oidc-[\w-]+/, '')
  return (
    <>
      <Divider label={t('signIn.or')} />
      <Button
        component="a"
        onClick={rememberSession}
        href={`${provider.url}?returnTo=${encodeURIComponent(returnTo)}`}
        variant="default"
        fullWidth
      >
        {t('signIn.provider', { name: provider.name })}
      </Button>
    </>
  )
}
