import { Box, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../../contract/access/passkeys.ts'
import { api } from '../../api/client.ts'
import { isProblem, reading, refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { enrolPasskey } from '../../session/enrol-factor.tsx'
import { hasPasskeys, PasskeyRefused } from '../../session/passkey.ts'
import { RecoveryCodes } from '../../session/recovery-codes.tsx'
import { CurrentPassword } from '../../widgets/current-password.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

/** The user's passkeys: added and deleted here. */
export function PasskeysPanel() {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listPasskeys'))
  const [dialog, setDialog] = useState<'add' | Passkey>()
  const close = () => {
    setDialog(undefined)
    void refresh('listPasskeys')
  }
  return (
    <Panel
      title={t('mfa.passkeys')}
      actions={
        hasPasskeys() && (
          <Button size="xs" variant="default" onClick={() => setDialog('add')}>
            {t('mfa.passkeyAdd')}
          </Button>
        )
      }
    >
      <Text size="sm" mb="sm">
        {t('mfa.passkeyAbout')}
      </Text>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={2} />}
      {data?.body.passkeys.map((passkey) => (
        <PasskeyLine key={passkey.passkeyGuid} passkey={passkey} onDelete={() => setDialog(passkey)} />
      ))}
      <Modal
        opened={dialog !== undefined}
        onClose={close}
        title={dialog === 'add' ? t('mfa.passkeyAdd') : t('mfa.passkeyDeleteThis', { name: dialog?.name })}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {dialog === 'add' && <AddPasskey onDone={close} />}
        {typeof dialog === 'object' && <DeletePasskey passkey={dialog} onDone={close} />}
      </Modal>
    </Panel>
  )
}

function PasskeyLine({ passkey, onDelete }: { passkey: Passkey; onDelete: () => void }) {
  const { t } = useTranslation()
  const { name, createdAt, lastUsedAt } = passkey
  const used = lastUsedAt === null ? undefined : t('mfa.passkeyUsed', { date: formatDateTime(lastUsedAt) })
  return (
    <Group justify="space-between" wrap="nowrap" py="xs" className="lined">
      <Box>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {[t('sessions.since', { date: formatDateTime(createdAt) }), used].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <Button size="xs" variant="subtle" onClick={onDelete} aria-label={t('mfa.passkeyDeleteThis', { name })}>
        {t('mfa.passkeyDelete')}
      </Button>
    </Group>
  )
}

interface ProofProps {
  /** Asks for a name and a code too. */
  isNew: boolean
  prove: (proof: { currentPassword: string; code: string; name: string }) => Promise<void>
}

function ProofForm({ isNew, prove }: ProofProps) {
  const { t } = useTranslation()
  const [currentPassword, setPassword] = useState('')
  const [name, setName] = useState('')
  const [code, setCode] = useState('')
  const work = useWork()
  const { error } = work
  const errors = isProblem(error) ? error.errors : {}
  const said = (member: string) => errors[member]?.join(' ')
  const refused = error instanceof PasskeyRefused
  return (
    <form
      onSubmit={work.onSubmit(() => prove({ currentPassword, code: code.trim(), name: name.trim() }))}
      noValidate
    >
      <Stack gap="sm">
        {refused ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('mfa.passkeyFailed')}
          </Text>
        ) : (
          Object.keys(errors).length === 0 && <ProblemAlert error={error} />
        )}
        {isNew && (
          <TextInput
            label={t('mfa.passkeyName')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <CurrentPassword value={currentPassword} error={said('currentPassword')} onChange={setPassword} />
        {isNew && (
          <TextInput
            label={t('mfa.passkeyCode')}
            autoComplete="one-time-code"
            value={code}
            error={said('code')}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <Button
          type="submit"
          loading={work.busy}
          disabled={currentPassword === '' || (isNew && name.trim() === '')}
        >
          {t('action.continue')}
        </Button>
      </Stack>
    </form>
  )
}

function AddPasskey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const [codes, setCodes] = useState<string[]>()
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  return (
    <ProofForm
      isNew
      prove={async ({ code, ...proof }) => {
        const made = await enrolPasskey({ ...proof, ...(code !== '' && { code }) })
        if (made.length > 0) return setCodes(made)
        noticeDone(t('mfa.passkeyAdded'))
        onDone()
      }}
    />
  )
}

function DeletePasskey({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { t } = useTranslation()
  return (
    <ProofForm
      isNew={false}
      prove={async ({ currentPassword }) => {
        await api.deletePasskey({ passkeyGuid: passkey.passkeyGuid, body: { currentPassword } })
        noticeDone(t('mfa.passkeyDeleted'))
        onDone()
      }}
    />
  )
}
