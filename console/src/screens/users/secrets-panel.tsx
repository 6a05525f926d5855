import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientSecret } from '../../../../contract/access/client-secrets.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { NewSecretDialog, ShownSecretDialog, type ShownSecret } from './new-secret.tsx'

/** The secrets of an API user: the working ones, and those that ended lately. */
export function SecretsPanel({ userGuid }: { userGuid: string }) {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listClientSecrets', { userGuid }))
  const [making, setMaking] = useState(false)
  const [shown, setShown] = useState<ShownSecret>()
  const [ending, setEnding] = useState<ClientSecret>()
  const rows = data?.body.value
  const end = (secretGuid: string) =>
    api.endClientSecret({ userGuid, secretGuid }).then(() => {
      noticeDone(t('secrets.ended'))
      return refresh('listClientSecrets')
    })
  return (
    <Panel
      title={t('secrets.title')}
      actions={
        <Button size="xs" variant="default" onClick={() => setMaking(true)}>
          {t('secrets.new')}
        </Button>
      }
    >
      <ProblemAlert error={error} />
      {!rows && !error && <LinesSkeleton lines={2} />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('secrets.none')}
        </Text>
      )}
      {rows?.map((secret) => (
        <SecretRow key={secret.secretGuid} secret={secret} onEnd={() => setEnding(secret)} />
      ))}
      {making && <NewSecretDialog userGuid={userGuid} onDone={setShown} onClose={() => setMaking(false)} />}
      {shown && <ShownSecretDialog {...shown} onClose={() => setShown(undefined)} />}
      {ending && (
        <ConfirmDialog
          title={t('secrets.endTitle')}
          about={t('secrets.endAbout')}
          confirm={t('secrets.end')}
          onConfirm={() => end(ending.secretGuid)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Panel>
  )
}

function SecretRow({ secret, onEnd }: { secret: ClientSecret; onEnd: () => void }) {
  const { t } = useTranslation()
  const { prefix, createdAt, endsAt, lastUsedAt } = secret
  const hasEnded = endsAt !== null && Date.parse(endsAt) <= Date.now()
  const name = prefix === null ? t('secrets.chosen') : `${prefix}…`
  const facts = [
    t('secrets.made', { date: formatDateTime(createdAt) }),
    endsAt !== null && !hasEnded && t('secrets.until', { date: formatDateTime(endsAt) }),
    lastUsedAt === null ? t('secrets.unused') : t('secrets.used', { date: formatDateTime(lastUsedAt) }),
  ]
  return (
    <Group justify="space-between" wrap="nowrap" py="xs" className="lined">
      <Box>
        <Group gap="xs">
          <Text size="sm" fw={500} className={prefix === null ? '' : 'code'}>
            {name}
          </Text>
          {hasEnded && (
            <Badge variant="light" color="gray" size="sm">
              {t('secrets.hasEnded')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </Box>
      {!hasEnded && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          style={{ flexShrink: 0 }}
          onClick={onEnd}
          aria-label={`${t('secrets.endTitle')} ${name}`}
        >
          {t('secrets.end')}
        </Button>
      )}
    </Group>
  )
}
