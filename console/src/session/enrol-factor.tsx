import { Button, Code, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../../contract/access/second-factors.ts'
import { api } from '../api/client.ts'
import { isProblem } from '../api/queries.ts'
import { CurrentPassword } from '../widgets/current-password.tsx'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { createPasskey, hasPasskeys, PasskeyRefused } from './passkey.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useWork } from '../widgets/use-work.ts'

type Way = 'app' | 'passkey' | 'email' | 'sms'
type Step =
  | { name: 'password' }
  | { name: 'app'; enrolment: Enrolment }
  | { name: 'message'; challenge: string }
  | { name: 'codes'; codes: string[] }

/** Enrols a second factor: password, a code that proves it works, recovery codes. */
export function EnrolFactor({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const [way, setWay] = useState<Way>('app')
  const [step, setStep] = useState<Step>({ name: 'password' })
  const [text, setText] = useState('')
  const work = useWork()
  if (step.name === 'codes') return <RecoveryCodes codes={step.codes} onDone={onDone} />
  const go = async () => {
    setStep(await take(step, way, { text: text.trim(), name: t('mfa.passkey') }))
    setText('')
  }
  const { error } = work
  const refused = error instanceof PasskeyRefused ? t('mfa.passkeyFailed') : undefined
  const said = isProblem(error) ? Object.values(error.errors).flat().join(' ') || error.detail : refused
  return (
    <form onSubmit={work.onSubmit(go)} noValidate>
      <Stack>
        {said === undefined && <ProblemAlert error={error} />}
        {step.name === 'password' && (
          <>
            <SegmentedControl
              fullWidth
              value={way}
              onChange={setWay}
              aria-label={t('mfa.way')}
              data={[
                { value: 'app', label: t('mfa.app') },
                ...(hasPasskeys() ? [{ value: 'passkey' as const, label: t('mfa.passkey') }] : []),
                { value: 'email', label: t('mfa.email') },
                { value: 'sms', label: t('mfa.sms') },
              ]}
            />
            <CurrentPassword value={text} error={said} onChange={setText} />
          </>
        )}
        {step.name === 'app' && <ScanCode enrolment={step.enrolment} />}
        {step.name === 'message' && <Text size="sm">{t('mfa.sent')}</Text>}
        {step.name !== 'password' && (
          <TextInput
            key={step.name}
            label={t('signIn.code')}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            value={text}
            error={said}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        <Button type="submit" loading={work.busy} disabled={text.trim() === ''}>
          {t('action.continue')}
        </Button>
      </Stack>
    </form>
  )
}

/** `name` is that of a first passkey. */
async function take(step: Step, way: Way, { text, name }: { text: string; name: string }): Promise<Step> {
  switch (step.name) {
    case 'password': {
      if (way === 'app')
        return { name: 'app', enrolment: await api.enrolTotp({ body: { currentPassword: text } }) }
      if (way === 'passkey')
        return { name: 'codes', codes: await enrolPasskey({ currentPassword: text, name }) }
      const { challenge } = await api.chooseMfa({
        body: { mfaType: way === 'email' ? 2 : 3, currentPassword: text },
      })
      return { name: 'message', challenge }
    }
    case 'app':
      return { name: 'codes', codes: (await api.confirmTotp({ body: { code: text } })).recoveryCodes }
    case 'message': {
      const { recoveryCodes } = await api.confirmMfa({ body: { challenge: step.challenge, code: text } })
      return { name: 'codes', codes: recoveryCodes }
    }
    default:
      return step
  }
}

interface PasskeyInput {
  currentPassword: string
  name: string
  /** Of the second factor that the user has already. */
  code?: string
}

/** Returns the recovery codes of a first second factor. */
export async function enrolPasskey({ name, ...proof }: PasskeyInput): Promise<string[]> {
  const { challenge, publicKey } = await api.enrolPasskey({ body: proof })
  const credential = await createPasskey(publicKey)
  return (await api.confirmPasskey({ body: { challenge, name, credential } })).recoveryCodes
}

function ScanCode({ enrolment }: { enrolment: Enrolment }) {
  const { t } = useTranslation()
  return (
    <Stack gap="xs" align="center">
      <Text size="sm">{t('mfa.scan')}</Text>
      <img className="qr-code" src={enrolment.qrCode} alt={t('mfa.qrCode')} width={208} height={208} />
      <Text size="xs" c="dimmed">
        {t('mfa.byHand')}
      </Text>
      <Code style={{ overflowWrap: 'anywhere', textAlign: 'center' }}>{enrolment.secret}</Code>
    </Stack>
  )
}
