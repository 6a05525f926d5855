import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  notificationDeliveries,
  type NotificationChoice,
  type NotificationEmails,
} from '../../../../contract/platform/notification-emails.ts'
import { api } from '../../api/client.ts'
import { queryClient, reading, refresh } from '../../api/queries.ts'
import { useUser } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

const query = () => reading('getNotificationEmails')

/** Which notifications come by e-mail. A choice is stored as soon as it is made. */
export function EmailPanel() {
  const { t } = useTranslation()
  const { data, error } = useQuery(query())
  const emails = data?.body
  return (
    <Panel title={t('emails.title')}>
      <Stack gap="sm">
        <Text size="sm">{t('emails.about')}</Text>
        <ProblemAlert error={error} />
        {!emails && !error && <LinesSkeleton lines={9} />}
        {emails?.isAvailable === false && <Alert color="gray">{t('emails.unavailable')}</Alert>}
        {emails?.isAvailable && !emails.isConfirmed && <ConfirmEmail />}
        {emails?.choices.map((choice) => (
          <DeliverySelect key={choice.kind} choice={choice} disabled={!emails.isAvailable} />
        ))}
      </Stack>
    </Panel>
  )
}

function DeliverySelect({ choice, disabled }: { choice: NotificationChoice; disabled: boolean }) {
  const { t } = useTranslation()
  const label = translateLabel(`lookup.notificationkind.${choice.kind}`, choice.kind)
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{label}</Text>
      <NativeSelect
        aria-label={label}
        w={180}
        style={{ flexShrink: 0 }}
        data={notificationDeliveries.map((value) => ({ value, label: t(`emails.${value}`) }))}
        value={choice.delivery}
        disabled={disabled && choice.delivery === 'NONE'}
        onChange={({ currentTarget: { value } }) =>
          void store({ ...choice, delivery: value as NotificationChoice['delivery'] })
        }
      />
    </Group>
  )
}

/** Shows the choice at once, and what is stored when that fails. */
async function store(changed: NotificationChoice): Promise<void> {
  queryClient.setQueryData<{ body: NotificationEmails }>(query().queryKey, (former) => {
    if (!former) return undefined
    const choices = former.body.choices.map((one) => (one.kind === changed.kind ? changed : one))
    return { ...former, body: { ...former.body, choices } }
  })
  try {
    await api.updateNotificationEmails({ body: { choices: [changed] } })
  } catch (error) {
    noticeProblem(error)
    await refresh('getNotificationEmails')
  }
}

/** Sends a code to the user's address and takes it back. */
function ConfirmEmail() {
  const { t } = useTranslation()
  const { email } = useUser()
  const [challenge, setChallenge] = useState<string>()
  const [code, setCode] = useState('')
  const work = useWork()
  const ask = async () => setChallenge((await api.sendEmailCode()).challenge)
  const confirm = async () => {
    await api.confirmEmail({ body: { challenge: challenge ?? '', code: code.trim() } })
    noticeDone(t('emails.confirmed'))
    await refresh('getNotificationEmails')
  }
  return (
    <form onSubmit={work.onSubmit(challenge === undefined ? ask : confirm)} noValidate>
      <Stack gap="sm">
        <Text size="sm" role="status">
          {t(challenge === undefined ? 'emails.unconfirmed' : 'emails.sent', { email })}
        </Text>
        <ProblemAlert error={work.error} />
        {challenge !== undefined && (
          <TextInput
            label={t('emails.code')}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoComplete="one-time-code"
            inputMode="numeric"
            w={180}
          />
        )}
        <Group gap="xs">
          {challenge !== undefined && (
            <Button type="submit" loading={work.busy}>
              {t('emails.confirm')}
            </Button>
          )}
          <Button
            variant="default"
            loading={challenge === undefined && work.busy}
            onClick={() => void work.run(ask)}
          >
            {t('emails.sendCode')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
