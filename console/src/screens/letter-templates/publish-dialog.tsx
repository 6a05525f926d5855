import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { api } from '../../api/client.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { useKeptInput } from '../../forms/use-kept-input.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { refreshTemplates } from './refresh-templates.ts'

interface PublishDialogProps {
  template: LetterTemplate
  /** The version to return to. The draft when left out. */
  number?: number
  onClose: () => void
}

/** Publishes the draft, or an earlier version again. */
export function PublishDialog({ template, number, onClose }: PublishDialogProps) {
  const { t } = useTranslation()
  const { letterTemplateGuid } = template
  const input = useKeptInput(`publish-template/${letterTemplateGuid}`, { note: '' })
  const publish = async () => {
    const { note } = input.values
    await api.publishLetterTemplate({
      letterTemplateGuid,
      body: { note, ...(number !== undefined && { number }) },
    })
    input.drop()
    noticeDone(t('templates.publishedNow'))
    await refreshTemplates()
  }
  return (
    <WorkDialog
      title={
        number === undefined ? t('templates.publish') : t('templates.return', { number: String(number) })
      }
      submit={t('templates.publish')}
      onSubmit={publish}
      onClose={onClose}
    >
      <DraftOffer draft={input.draft} />
      <Text size="sm">{number === undefined ? t('templates.publishAbout') : t('templates.returnAbout')}</Text>
      <TextInput
        label={t('templates.note')}
        maxLength={200}
        data-autofocus
        value={input.values.note}
        onChange={(event) => input.change({ note: event.currentTarget.value })}
      />
    </WorkDialog>
  )
}
