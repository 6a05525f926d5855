import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { isProblem } from '../../api/queries.ts'
import { EnrolFactor } from '../../session/enrol-factor.tsx'
import { RecoveryCodes } from '../../session/recovery-codes.tsx'
import { CurrentPassword } from '../../widgets/current-password.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

type Dialog = 'enrol' | 'renew' | 'leave' | undefined

/**
 * The service does not say whether there is a second factor. Enrolling a second one, or removing none, gives an error
 * message.
 */
export function FactorPanel() {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const title = dialog && t(`mfa.${dialog}`)
  return (
    <Panel title={t('mfa.title')}>
      <Text size="sm" mb="sm">
        {t('mfa.about')}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => setDialog('enrol')}>
          {t('mfa.enrol')}
        </Button>
        <Button variant="default" onClick={() => setDialog('renew')}>
          {t('mfa.renew')}
        </Button>
        <Button variant="default" onClick={() => setDialog('leave')}>
          {t('mfa.leave')}
        </Button>
      </Group>
      <Modal
        opened={dialog !== undefined}
        onClose={close}
        title={title}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {dialog === 'enrol' && <EnrolFactor onDone={close} />}
        {(dialog === 'renew' || dialog === 'leave') && <ProveFactor what={dialog} onDone={close} />}
      </Modal>
    </Panel>
  )
}

/** Asks for password and code before a change of the second factor. A code by message is requested first. */
function ProveFactor({ what, onDone }: { what: 'renew' | 'leave'; onDone: () => void }) {
  const { t } = useTranslation()
  const [currentPassword, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [challenge, setChallenge] = useState<string | undefined>()
  const [codes, setCodes] = useState<string[] | undefined>()
  const work = useWork()
  const prove = async () => {
    const body = { currentPassword, code: code.trim(), ...(challenge !== undefined && { challenge }) }
    if (what === 'renew') {
      setCodes((await api.renewRecoveryCodes({ body })).recoveryCodes)
      return
    }
    await api.disableMfa({ body })
    noticeDone(t('mfa.left'))
    onDone()
  }
  const { error } = work
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  const errors = isProblem(error) ? error.errors : {}
  return (
    <form onSubmit={work.onSubmit(prove)} noValidate>
      <Stack gap="sm">
        {Object.keys(errors).length === 0 && <ProblemAlert error={error} />}
        <CurrentPassword
          value={currentPassword}
          error={errors['currentPassword']?.join(' ')}
          onChange={setPassword}
        />
        <TextInput
          label={t('signIn.code')}
          autoComplete="one-time-code"
          value={code}
          error={errors['code']?.join(' ')}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button
            type="submit"
            loading={work.busy}
            disabled={currentPassword === '' || code.trim().length < 6}
          >
            {t('action.continue')}
          </Button>
          <Button
            variant="subtle"
            onClick={() => void work.run(async () => setChallenge((await api.sendMfaCode()).challenge))}
          >
            {t('mfa.send')}
          </Button>
        </Group>
        {challenge !== undefined && (
          <Text size="sm" role="status">
            {t('mfa.sent')}
          </Text>
        )}
      </Stack>
    </form>
  )
}
