import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LetterTemplate } from '../../../../contract/collection/letter-templates.ts'
import { isProblem, reading } from '../../api/queries.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { LeaveGuard } from '../../forms/leave-guard.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { FaultList } from './fault-list.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { SourceInput, type SourceHandle } from './source-input.tsx'
import './template-editor.css'
import { TemplatePreview } from './template-preview.tsx'
import { useTemplateDraft } from './use-template-draft.ts'
import { VariableList } from './variable-list.tsx'

const afterMs = 400

interface TemplateEditorProps {
  template: LetterTemplate
  etag: string | undefined
}

/** The draft with its variables, and the letter as it would be printed. */
export function TemplateEditor({ template, etag }: TemplateEditorProps) {
  const { t } = useTranslation()
  const { kind, languageCode, clientGuid } = template
  const handle = useRef<SourceHandle>(null)
  const edited = useTemplateDraft(template, etag)
  const [publishes, setPublishes] = useState(false)
  const [caseGuid, setCaseGuid] = useState<string | null>(null)
  const work = useWork()
  const [tried] = useDebouncedValue(edited.source, afterMs)
  const preview = useQuery({
    ...reading('previewLetterTemplate', {
      body: { kind, languageCode, clientGuid, caseGuid, source: tried },
    }),
    enabled: tried.trim() !== '',
    placeholderData: keepPreviousData,
  })
  const faults = preview.data?.body.faults ?? []
  const store = () => edited.save().then(() => noticeDone(t('templates.saved')))
  return (
    <div className="template-editor">
      <LeaveGuard active={edited.isChanged} isKept />
      <Panel title={t('templates.text')}>
        <form onSubmit={work.onSubmit(store)}>
          <Stack gap="sm">
            <DraftOffer draft={edited.draft} />
            {edited.isOutdated && <Outdated onKeep={edited.keepOwn} onTake={edited.takeStored} />}
            <SourceInput
              handle={handle}
              value={edited.source}
              language={languageCode}
              faultyLines={new Set(faults.map(({ line }) => line))}
              onChange={edited.setSource}
            />
            <FaultList faults={faults} onShow={({ line, column }) => handle.current?.show(line, column)} />
            {/* Faults of the text stand at their lines already. */}
            <ProblemAlert error={isProblem(work.error, 'invalid') && faults.length > 0 ? null : work.error} />
            <Foot
              template={template}
              isChanged={edited.isChanged}
              busy={work.busy}
              onPublish={() => setPublishes(true)}
            />
          </Stack>
        </form>
      </Panel>
      <div className="panel template-preview" role="region" tabIndex={0} aria-label={t('templates.preview')}>
        <TemplatePreview
          preview={preview.data?.body}
          error={preview.error}
          isFetching={preview.isFetching}
          language={languageCode}
          caseGuid={caseGuid}
          {...(kind !== 'plan' && { onCase: setCaseGuid })}
        />
      </div>
      <Panel title={t('templates.variables')}>
        <VariableList
          kind={kind}
          language={languageCode}
          used={edited.source}
          onChoose={(name) => handle.current?.insert(`#${name}`)}
        />
      </Panel>
      {publishes && <PublishDialog template={template} onClose={() => setPublishes(false)} />}
    </div>
  )
}

interface FootProps {
  template: LetterTemplate
  isChanged: boolean
  busy: boolean
  onPublish: () => void
}

function Foot({ template, isChanged, busy, onPublish }: FootProps) {
  const { t } = useTranslation()
  const state = isChanged
    ? t('templates.unsaved')
    : template.hasDraft
      ? t('templates.unpublishedAbout')
      : t('templates.published')
  return (
    <Group gap="sm">
      <Button type="submit" loading={busy} disabled={!isChanged}>
        {t('templates.save')}
      </Button>
      <Button variant="default" disabled={isChanged || !template.hasDraft} onClick={onPublish}>
        {t('templates.publish')}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {state}
      </Text>
    </Group>
  )
}

/** Somebody else saved the template while this text was typed. */
function Outdated({ onKeep, onTake }: { onKeep: () => void; onTake: () => void }) {
  const { t } = useTranslation()
  return (
    <Alert color="yellow" variant="light" title={t('templates.outdated')}>
      <Text size="sm">{t('templates.outdatedAbout')}</Text>
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={onKeep}>
          {t('templates.keepOwn')}
        </Button>
        <Button size="xs" variant="default" onClick={onTake}>
          {t('templates.takeStored')}
        </Button>
      </Group>
    </Alert>
  )
}
