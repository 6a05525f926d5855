import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantRequest } from '../../../contract/access/assistants.ts'
import { api } from '../api/client.ts'
import { reading } from '../api/queries.ts'
import { ProblemAlert } from '../widgets/problem-alert.tsx'
import { useWork } from '../widgets/use-work.ts'
import { Card } from './card.tsx'
import { useUser } from './session.ts'

const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'scope',
  'state',
] as const
type Members = Partial<Record<(typeof names)[number], string>>

/** What the service knows of the request in the address. Programs send more, which is left out. */
function readRequest(): Members {
  const given = new URLSearchParams(window.location.search)
  return Object.fromEntries(names.flatMap((name) => (given.has(name) ? [[name, given.get(name)!]] : [])))
}

/** The page on which a signed-in user decides whether an assistant may work with the user's rights. */
export default function ConnectAssistant() {
  const { t } = useTranslation()
  const [members] = useState(readRequest)
  const { data, error } = useQuery(reading('getAssistantRequest', members))
  return (
    <Card title={t('connect.title')}>
      <ProblemAlert error={error} />
      {data && <Decision members={members} request={data.body} />}
    </Card>
  )
}

function Decision({ members, request }: { members: Members; request: AssistantRequest }) {
  const { t } = useTranslation()
  const user = useUser()
  const [access, setAccess] = useState<'read' | 'write'>('read')
  const work = useWork()
  const { name, publishedAt, returnsTo, isLocal, mayWrite } = request
  const decide = (allow: boolean) =>
    work.run(async () => {
      const { redirectTo } = await api.answerAssistantRequest({ body: { ...members, allow, access } })
      window.location.assign(redirectTo)
    })
  return (
    <Stack>
      <Text>{t('connect.asks', { name })}</Text>
      {publishedAt !== null && (
        <Text size="sm">
          {t(isLocal ? 'connect.publishedLocal' : 'connect.published', { host: publishedAt })}
        </Text>
      )}
      <Text size="sm">{t(isLocal ? 'connect.local' : 'connect.returns', { host: returnsTo })}</Text>
      <Text size="sm">{t('connect.user', { name: user.fullName ?? user.email ?? '' })}</Text>
      {mayWrite ? (
        <Radio.Group
          label={t('connect.access')}
          value={access}
          onChange={(value) => setAccess(value === 'write' ? 'write' : 'read')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="read" label={t('connect.read')} />
            <Radio value="write" label={t('connect.write')} />
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">{t('connect.onlyRead')}</Text>
      )}
      <Text size="sm" c="dimmed">
        {t('connect.about')}
      </Text>
      <ProblemAlert error={work.error} />
      <Group grow>
        <Button variant="default" disabled={work.busy} onClick={() => void decide(false)}>
          {t('connect.refuse')}
        </Button>
        <Button loading={work.busy} onClick={() => void decide(true)}>
          {t('connect.allow')}
        </Button>
      </Group>
    </Stack>
  )
}
