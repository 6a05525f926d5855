import { Badge, Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnSession } from '../../../../contract/access/own-sessions.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

/** The user's sessions, which can be ended here. */
export function SessionsPanel() {
  const { t } = useTranslation()
  const { data, error } = useQuery(reading('listSessions', { $top: 100 }))
  const [ending, setEnding] = useState(false)
  const end = (session: OwnSession) => {
    api
      .revokeSession({ sessionGuid: session.sessionGuid })
      .then(() => noticeDone(t('sessions.ended')))
      .catch(noticeProblem)
      .finally(() => void refresh('listSessions'))
  }
  return (
    <Panel
      title={t('sessions.title')}
      actions={
        (data?.body.total ?? 0) > 1 && (
          <Button size="xs" variant="default" onClick={() => setEnding(true)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={3} />}
      {data?.body.value.map((session) => (
        <Group key={session.sessionGuid} justify="space-between" wrap="nowrap" py="xs" className="lined">
          <Box>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {shortProgram(session.userAgent)}
              </Text>
              {session.current && (
                <Badge variant="light" size="sm">
                  {t('sessions.this')}
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              {[
                session.address,
                t('sessions.since', { date: formatDateTime(session.createdAt) }),
                t('sessions.until', { date: formatDateTime(session.endsAt) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </Box>
          {!session.current && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => end(session)}
              aria-label={t('sessions.endThis', { name: shortProgram(session.userAgent) })}
            >
              {t('sessions.end')}
            </Button>
          )}
        </Group>
      ))}
      {ending && (
        <ConfirmDialog
          title={t('sessions.endOthers')}
          about={t('sessions.endOthersAbout')}
          confirm={t('sessions.endOthers')}
          onConfirm={() => api.revokeOtherSessions().then(() => refresh('listSessions'))}
          onClose={() => setEnding(false)}
        />
      )}
    </Panel>
  )
}

/** `Chrome 128, Windows` from a browser's user agent; any other program by its own name. */
function shortProgram(userAgent: string | null): string {
  const text = userAgent ?? '–'
  const browser = /(Firefox|Edg|OPR|Chrome|Version)\/(\d+)/.exec(text)
  if (!text.startsWith('Mozilla/') || !browser) return text
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' }
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(text)?.[0]
  return [`${names[browser[1]!] ?? browser[1]} ${browser[2]}`, system].filter(Boolean).join(', ')
}
