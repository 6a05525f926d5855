import { Select } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { templateKinds } from '../../../../contract/collection/documents.ts'
import { languages } from '../../../../contract/platform/languages.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { useKeptInput } from '../../forms/use-kept-input.ts'
import { translateLabel } from '../../texts/labels.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { languageName } from './template-names.ts'

/** Chooses the letter, its language and the client. The text begins with the shipped one. */
export function NewTemplate({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const input = useKeptInput('letter-template', {
    kind: 'demand',
    languageCode: i18n.language,
    clientGuid: '',
  })
  const { kind, languageCode, clientGuid } = input.values
  const create = async () => {
    const made = await api.createLetterTemplate({ body: input.values })
    input.drop()
    await refresh('listLetterTemplates')
    await navigate({
      to: '/letter-templates/$letterTemplateGuid',
      params: { letterTemplateGuid: made.letterTemplateGuid },
    })
  }
  return (
    <WorkDialog title={t('templates.new')} submit={t('templates.create')} onSubmit={create} onClose={onClose}>
      <DraftOffer draft={input.draft} />
      <Select
        label={t('templates.letter')}
        data={templateKinds.map((value) => ({
          value,
          label: translateLabel(`lookup.letterkind.${value}`, value),
        }))}
        value={kind}
        allowDeselect={false}
        onChange={(next) => input.change({ kind: next! })}
      />
      <Select
        label={t('templates.language')}
        data={languages.map((value) => ({ value, label: languageName(value) }))}
        value={languageCode}
        allowDeselect={false}
        onChange={(next) => input.change({ languageCode: next! })}
      />
      <LookupSelect
        code="client"
        label={t('templates.client')}
        placeholder={t('templates.allClients')}
        value={clientGuid === '' ? null : clientGuid}
        onChange={(next) => input.change({ clientGuid: next ?? '' })}
      />
    </WorkDialog>
  )
}
