import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { noticeDone, noticeLimit, noticeProblem } from '../../widgets/notices.ts'
import { AttachZone } from '../attachments/attach-zone.tsx'
import type { AttachmentPlace } from '../attachments/file-sender.ts'
import { useAttaching } from '../attachments/use-attaching.ts'

interface NoteDialogProps {
  about: AttachmentPlace
  /** Undefined for a new note. */
  noteGuid: string | undefined
  onClose: () => void
}

/** Writes or changes a note. Its files are sent meanwhile, and given to it when it is stored. */
export function NoteDialog({ about, noteGuid, onClose }: NoteDialogProps) {
  const { t } = useTranslation()
  const attaching = useAttaching(about, { draft: true })
  const give = async (stored: string) => {
    const left = await attaching.giveTo({ noteGuid: stored })
    if (left.length > 0) noticeLimit(t('attachments.left', { names: left.join(', ') }))
    else noticeDone(t('form.stored'))
  }
  return (
    <FormDialog
      title={noteGuid ? t('notes.edit') : t('notes.new')}
      entity="note"
      type={noteGuid ? 'edit' : 'create'}
      place={{
        id: 'caseGuid' in about ? about.caseGuid : about.debtorGuid,
        ...(noteGuid && { subId: noteGuid }),
      }}
      below={<AttachZone attaching={attaching} />}
      onDone={(answer) => {
        // A note that was deleted in the dialog has no files.
        const stored = noteGuid ?? (answer?.['noteGuid'] as string | undefined)
        if (stored !== undefined) give(stored).catch(noticeProblem)
        void refresh(
          'listCaseNotes',
          'listDebtorNotes',
          'listAuditEntries',
          'listTimeline',
          'getCaseWork',
          'listWork',
        )
        onClose()
      }}
      onClose={onClose}
    />
  )
}
