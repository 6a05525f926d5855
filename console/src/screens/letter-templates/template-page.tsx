import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { api } from '../../api/client.ts'
import { reading } from '../../api/queries.ts'
import { formatDateTime, formatNumber } from '../../format/format.ts'
import { translateLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { LinesSkeleton, Page } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { refreshTemplates } from './refresh-templates.ts'
import { TemplateEditor } from './template-editor.tsx'
import { languageName } from './template-names.ts'
import { VersionPanel } from './version-panel.tsx'

/** A template with its editor, a preview, and the history of its versions. */
export default function TemplatePage() {
  const { t } = useTranslation()
  const { letterTemplateGuid } = useParams({ from: '/letter-templates/$letterTemplateGuid' })
  const { data, error } = useQuery(reading('getLetterTemplate', { letterTemplateGuid }))
  const template = data?.body
  return (
    <Page
      title={
        template ? translateLabel(`lookup.letterkind.${template.kind}`, template.kind) : t('templates.one')
      }
      about={template ? <About template={template} /> : ' '}
    >
      <ProblemAlert error={error} />
      {!template && !error && <LinesSkeleton lines={8} />}
      {template && (
        <>
          <TemplateEditor template={template} etag={data.etag} />
          <VersionPanel template={template} actions={<Removal template={template} etag={data.etag} />} />
        </>
      )}
    </Page>
  )
}

function About({ template }: { template: LetterTemplate }) {
  const { t } = useTranslation()
  const { languageCode, clientName, versionInForce, publishedAt } = template
  const inForce =
    versionInForce === null
      ? t('templates.shippedInUse')
      : t('templates.versionInUse', {
          number: formatNumber(versionInForce),
          date: formatDateTime(publishedAt),
        })
  return [languageName(languageCode), clientName ?? t('templates.allClients'), inForce].join(' · ')
}

/** Takes a template out of use, or deletes one that was never published. */
function Removal({ template, etag }: { template: LetterTemplate; etag: string | undefined }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const { letterTemplateGuid, versions, versionInForce } = template
  const isDeleted = versions.length === 0
  if (!isDeleted && versionInForce === null) return null
  const label = isDeleted ? t('templates.delete') : t('templates.withdraw')
  const run = async () => {
    if (isDeleted) {
      await api.deleteLetterTemplate({ letterTemplateGuid }, etag === undefined ? {} : { ifMatch: etag })
      await navigate({ to: '/letter-templates' })
    } else await api.withdrawLetterTemplate({ letterTemplateGuid })
    await refreshTemplates()
  }
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsks(true)}>
        {label}
      </Button>
      {asks && (
        <ConfirmDialog
          title={label}
          about={isDeleted ? t('templates.deleteAbout') : t('templates.withdrawAbout')}
          confirm={label}
          onConfirm={run}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  )
}
