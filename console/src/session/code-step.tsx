import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MfaRequired } from '../../../contract/access/sessions.ts'
import { api } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { hasPasskeys, PasskeyRefused, readPasskey } from './passkey.ts'
import { findSession } from './session.ts'
import { useWork } from '../widgets/use-work.ts'

const sources = { 1: 'signIn.codeFromApp', 2: 'signIn.codeByMail', 3: 'signIn.codeBySms' } as const

function findFailure(error: unknown) {
  if (error instanceof PasskeyRefused) return 'signIn.passkeyFailed'
  return isProblem(error, 'login-failed') ? 'signIn.codeFailed' : undefined
}

export function CodeStep({ challenge, onBack }: { challenge: MfaRequired; onBack: () => void }) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const work = useWork()
  const signIn = async () => {
    try {
      await api.signInWithCode({ body: { challenge: challenge.challenge, code: code.trim() } })
      await findSession()
    } catch (failure) {
      setCode('')
      throw failure
    }
  }
  const { passkey } = challenge
  const byPasskey = passkey !== undefined && hasPasskeys()
  const signInByPasskey = async () => {
    const credential = await readPasskey(passkey!)
    await api.signInWithPasskey({ body: { challenge: challenge.challenge, credential } })
    await findSession()
  }
  const failed = findFailure(work.error)
  return (
    <form onSubmit={work.onSubmit(signIn)} noValidate>
      <Stack>
        {byPasskey && (
          <Button
            type="button"
            variant="default"
            loading={work.busy}
            onClick={() => void work.run(signInByPasskey)}
          >
            {t('signIn.passkey')}
          </Button>
        )}
        {failed ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t(failed)}
          </Text>
        ) : (
          <ProblemAlert error={work.error} />
        )}
        <TextInput
          label={t('signIn.code')}
          description={t(byPasskey ? 'signIn.codeOrPasskey' : sources[challenge.mfaType as 1 | 2 | 3])}
          autoComplete="one-time-code"
          inputMode="text"
          autoFocus
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={work.busy} disabled={code.trim().length < 6} fullWidth>
          {t('signIn.submit')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('signIn.back')}
        </Anchor>
      </Stack>
    </form>
  )
}
