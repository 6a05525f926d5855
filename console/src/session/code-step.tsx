import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { MfaRequired } from '../../../contract/sessions.ts'
import { api } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { findSession } from './session.ts'

const sources = { 1: 'signIn.codeFromApp', 2: 'signIn.codeByMail', 3: 'signIn.codeBySms' } as const

export function CodeStep({ challenge, onBack }: { challenge: MfaRequired; onBack: () => void }) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await api.signInWithCode({ body: { challenge: challenge.challenge, code: code.trim() } })
      await findSession()
    } catch (failure) {
      setError(failure)
      setCode('')
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        {isProblem(error, 'login-failed') ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('signIn.codeFailed')}
          </Text>
        ) : (
          <ProblemAlert error={error} />
        )}
        <TextInput
          label={t('signIn.code')}
          description={t(sources[challenge.mfaType as 1 | 2 | 3])}
          autoComplete="one-time-code"
          inputMode="text"
          autoFocus
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={busy} disabled={code.trim().length < 6} fullWidth>
          {t('signIn.submit')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('signIn.back')}
        </Anchor>
      </Stack>
    </form>
  )
}
