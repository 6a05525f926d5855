import { ActionIcon, Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readingMore } from '../../api/queries.ts'
import { formatDateTime } from '../../format/format.ts'
import { caseKeys, useKey } from '../../shell/keys/use-key.ts'
import { useMay, useUser } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { ListPanel } from '../../widgets/list-panel.tsx'
import { AttachedFiles } from '../attachments/attachment-line.tsx'
import { NoteDialog } from './note-dialog.tsx'

interface NotePanelProps {
  about: { caseGuid: string } | { debtorGuid: string }
}

/** The notes about a case or a debtor, latest first. */
export function NotePanel({ about }: NotePanelProps) {
  const { t } = useTranslation()
  const mayHandle = useMay('case.write', 'debtor.write')
  const mayWrite = useUser().userRole === 14 || mayHandle
  const [open, setOpen] = useState<{ noteGuid?: string }>()
  useKey(caseKeys.note, () => setOpen({}), mayWrite)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    readingMore<'listCaseNotes' | 'listDebtorNotes'>(
      'caseGuid' in about ? 'listCaseNotes' : 'listDebtorNotes',
      about,
      50,
    ),
  )
  const notes = data?.pages.flatMap(({ body }) => body.value)
  return (
    <ListPanel
      title={t('notes.title')}
      rows={notes}
      error={error}
      empty={t('notes.none')}
      add={mayWrite && { label: t('notes.new'), onClick: () => setOpen({}) }}
      getKey={({ noteGuid }) => noteGuid}
      after={
        <>
          {hasNextPage && (
            <Button
              variant="subtle"
              size="xs"
              loading={isFetchingNextPage}
              onClick={() => void fetchNextPage()}
            >
              {t('timeline.more')}
            </Button>
          )}
          {open && <NoteDialog about={about} noteGuid={open.noteGuid} onClose={() => setOpen(undefined)} />}
        </>
      }
    >
      {(note) => (
        <>
          <div>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {note.text}
            </Text>
            <AttachedFiles about={about} owner={{ noteGuid: note.noteGuid }} />
            <Text size="xs" c="dimmed">
              {[
                note.createdBy,
                formatDateTime(note.createdAt),
                note.followUpDate && t('notes.followUp', { date: formatDateTime(note.followUpDate) }),
                note.shownToClient && t('field.shownToClient'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </div>
          {mayWrite && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('notes.editThis', { text: (note.text ?? '').slice(0, 40) })}
              onClick={() => setOpen({ noteGuid: note.noteGuid })}
            >
              <Icon name="edit" size={16} />
            </ActionIcon>
          )}
        </>
      )}
    </ListPanel>
  )
}
