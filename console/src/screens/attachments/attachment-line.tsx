import { Anchor, Group, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Attachment } from '../../../../contract/metadata/attachments.ts'
import { api } from '../../api/client.ts'
import { formatDateTime } from '../../format/format.ts'
import { saveBytes } from '../../lists/save-file.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { formatBytes } from './attach-zone.tsx'
import type { AttachmentPlace } from './file-sender.ts'

/** All files, so that none is missed behind the first page. One reading serves the panel of files and those of notes and calls. */
export const readingAttachments = (about: AttachmentPlace) =>
  queryOptions({
    queryKey: ['caseGuid' in about ? 'listCaseAttachments' : 'listDebtorAttachments', about] as const,
    queryFn: async ({ signal }) => {
      const rows =
        'caseGuid' in about
          ? api.each.listCaseAttachments(about, { signal })
          : api.each.listDebtorAttachments(about, { signal })
      const files: Attachment[] = []
      for await (const file of rows) files.push(file)
      return files
    },
  })

function FileLink({ file }: { file: Attachment }) {
  const { t } = useTranslation()
  const { attachmentGuid, fileName: name } = file
  const download = () =>
    api
      .getAttachment({ attachmentGuid })
      .then((bytes) => saveBytes(bytes, 'application/octet-stream', name), noticeProblem)
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      style={{ overflowWrap: 'anywhere' }}
      aria-label={t('attachments.download', { name })}
      onClick={() => void download()}
    >
      {name}
    </Anchor>
  )
}

export function AttachmentLine({ file, isOfDebtor }: { file: Attachment; isOfDebtor: boolean }) {
  const { t } = useTranslation()
  const about = [
    formatBytes(file.bytes),
    isOfDebtor && file.caseNumber !== null && t('case.title', { number: file.caseNumber }),
    file.noteGuid !== null && t('attachments.ofNote'),
    file.callGuid !== null && t('attachments.ofCall'),
    file.createdBy,
    formatDateTime(file.createdAt),
    file.shownToClient && t('call.shown'),
  ]
  return (
    <div>
      <FileLink file={file} />
      <Text size="xs" c="dimmed">
        {about.filter(Boolean).join(' · ')}
      </Text>
    </div>
  )
}

interface FilesProps {
  about: AttachmentPlace
  /** The note or the call. */
  owner: { noteGuid: string } | { callGuid: string }
}

/** The files of a note or a call, below its text. */
export function AttachedFiles({ about, owner }: FilesProps) {
  const { data } = useQuery(readingAttachments(about))
  const [[member, guid]] = Object.entries(owner) as [[keyof Attachment, string]]
  const files = data?.filter((file) => file[member] === guid) ?? []
  if (files.length === 0) return null
  return (
    <Group gap="xs" my={2}>
      {files.map((file) => (
        <Group key={file.attachmentGuid} gap={4} wrap="nowrap">
          <Icon name="document" size={14} />
          <FileLink file={file} />
        </Group>
      ))}
    </Group>
  )
}
