import { Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ConnectedAssistant } from '../../../../contract/access/assistants.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

/** Lists and disconnects the user's connected assistants. Shows nothing to a user who has none. */
export function AssistantsPanel() {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listConnectedAssistants'))
  const connected = data?.body.value ?? []
  if (connected.length === 0 && !error) return null
  const disconnect = ({ sessionGuid }: ConnectedAssistant) => {
    api
      .disconnectAssistant({ sessionGuid })
      .then(() => noticeDone(t('assistants.disconnected')))
      .catch(noticeProblem)
      .finally(() => {
        void refresh('listConnectedAssistants')
        void refresh('listSessions')
      })
  }
  return (
    <Panel title={t('assistants.title')}>
      <ProblemAlert error={error} />
      {connected.map((one) => (
        <Group key={one.sessionGuid} justify="space-between" wrap="nowrap" py="xs" className="lined">
          <Box>
            <Text size="sm" fw={500}>
              {one.name}
            </Text>
            <Text size="xs" c="dimmed">
              {[
                ...(one.publishedAt === null ? [] : [one.publishedAt]),
                t(one.access === 'write' ? 'assistants.write' : 'assistants.read'),
                t('sessions.since', { date: formatDateTime(one.connectedAt) }),
                t('assistants.until', { date: formatDateTime(one.endsAt) }),
              ].join(' · ')}
            </Text>
          </Box>
          <Button
            size="xs"
            variant="subtle"
            onClick={() => disconnect(one)}
            aria-label={t('assistants.disconnectThis', { name: one.name })}
          >
            {t('assistants.disconnect')}
          </Button>
        </Group>
      ))}
    </Panel>
  )
}
