import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readingMore, refresh } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { useMay, useUser } from '../../session/session.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'

/** The notes about a case, latest first. */
export function NotePanel({ caseGuid }: { caseGuid: string }) {
  const { t } = useTranslation()
  const mayHandle = useMay('case.write', 'debtor.write', 'client.write')
  const mayWrite = useUser().userRole === 14 || mayHandle
  const [open, setOpen] = useState<{ noteGuid?: string }>()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    readingMore('listCaseNotes', { caseGuid }, 50),
  )
  const notes = data?.pages.flatMap(({ body }) => body.value)
  return (
    <Panel
      title={t('notes.title')}
      actions={
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setOpen({})}
          >
            {t('notes.new')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error} />
      {!notes && !error && <LinesSkeleton lines={2} />}
      {notes?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('notes.none')}
        </Text>
      )}
      <ul className="explanation">
        {notes?.map((note) => (
          <li key={note.noteGuid} className="lined">
            <div>
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {note.text}
              </Text>
              <Text size="xs" c="dimmed">
                {[note.createdBy, formatDateTime(note.createdAt)].filter(Boolean).join(' · ')}
              </Text>
            </div>
            {mayWrite && (
              <Group wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('notes.editThis', { text: (note.text ?? '').slice(0, 40) })}
                  onClick={() => setOpen({ noteGuid: note.noteGuid })}
                >
                  <Icon name="edit" size={16} />
                </ActionIcon>
              </Group>
            )}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="subtle" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('timeline.more')}
        </Button>
      )}
      {open && (
        <FormDialog
          title={open.noteGuid ? t('notes.edit') : t('notes.new')}
          entity="note"
          type={open.noteGuid ? 'edit' : 'create'}
          place={{ id: caseGuid, ...(open.noteGuid && { subId: open.noteGuid }) }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('listCaseNotes', 'listAuditEntries', 'listTimeline')
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  )
}
