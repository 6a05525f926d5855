import { ActionIcon, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Attachment } from '../../../../contract/metadata/attachments.ts'
import { api } from '../../api/client.ts'
import { useMay, useUser } from '../../session/session.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { ListPanel } from '../../widgets/list-panel.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { AttachZone } from './attach-zone.tsx'
import { AttachmentLine, readingAttachments } from './attachment-line.tsx'
import { refreshAttachments, type AttachmentPlace } from './file-sender.ts'
import { useAttaching } from './use-attaching.ts'

/** The files of a case or a debtor, the latest first, with a place to drop more. */
export function AttachmentPanel({ about }: { about: AttachmentPlace }) {
  const { t } = useTranslation()
  const mayHandle = useMay('case.write', 'debtor.write')
  const mayWrite = useUser().userRole === 14 || mayHandle
  const [removing, setRemoving] = useState<Attachment>()
  const { data, error } = useQuery(readingAttachments(about))
  return (
    <ListPanel
      title={t('attachments.title')}
      rows={data?.filter(({ draft }) => draft !== true)}
      error={error}
      empty={t('attachments.none')}
      getKey={({ attachmentGuid }) => attachmentGuid}
      after={
        <>
          {mayWrite && <PanelZone about={about} />}
          {removing && (
            <ConfirmDialog
              title={t('attachments.deleteThis', { name: removing.fileName })}
              about={t('attachments.deleteAbout')}
              confirm={t('action.delete')}
              onConfirm={() =>
                api.deleteAttachment({ attachmentGuid: removing.attachmentGuid }).then(refreshAttachments)
              }
              onClose={() => setRemoving(undefined)}
            />
          )}
        </>
      }
    >
      {(file) => (
        <>
          <AttachmentLine file={file} isOfDebtor={'debtorGuid' in about} />
          {mayWrite && <FileActions file={file} onRemove={() => setRemoving(file)} />}
        </>
      )}
    </ListPanel>
  )
}

/** What was attached stands in the list above; a refused file stays here. */
function PanelZone({ about }: { about: AttachmentPlace }) {
  const attaching = useAttaching(about, { draft: false, onSent: () => void refreshAttachments() })
  return (
    <Stack mt="sm" className="no-print">
      <AttachZone attaching={attaching} />
    </Stack>
  )
}

/** A file of a note or a call is shown with it. */
function FileActions({ file, onRemove }: { file: Attachment; onRemove: () => void }) {
  const { t } = useTranslation()
  const { attachmentGuid, fileName: name, shownToClient } = file
  const show = () =>
    api
      .updateAttachment({ attachmentGuid, body: { shownToClient: shownToClient !== true } })
      .then(refreshAttachments, noticeProblem)
  return (
    <Group gap={2} wrap="nowrap" className="no-print">
      {file.noteGuid === null && file.callGuid === null && (
        <ActionIcon
          variant="subtle"
          color={shownToClient ? undefined : 'gray'}
          aria-pressed={shownToClient === true}
          aria-label={t('attachments.showThis', { name })}
          title={t('call.shown')}
          onClick={() => void show()}
        >
          <Icon name="building" size={16} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('attachments.deleteThis', { name })}
        onClick={onRemove}
      >
        <Icon name="trash" size={16} />
      </ActionIcon>
    </Group>
  )
}
