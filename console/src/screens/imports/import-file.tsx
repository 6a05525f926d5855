import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import { formatNumber } from '../../format/format.ts'
import { Icon } from '../../widgets/icons.tsx'
import { Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { ColumnTable } from './column-table.tsx'
import { FileChoices } from './file-choices.tsx'
import { CheckedFile, ImportedFile } from './import-outcome.tsx'
import { JobFailed } from './import-work.ts'
import { useImport, type Phase } from './use-import.ts'

interface ImportFileProps {
  file: File
  first: FileInspection
  onAnother: () => void
}

/** A chosen file: how it is read, what its columns are, what the import would do, and the import. */
export function ImportFile({ file, first, onAnother }: ImportFileProps) {
  const { t } = useTranslation()
  const { inspection, choices, phase, percent, checked, imported, work, ...steps } = useImport(file, first)
  const another = () => {
    steps.forget()
    onAnother()
  }
  if (imported) return <ImportedFile name={file.name} what={choices.what} {...imported} onAnother={another} />
  return (
    <>
      <Panel title={file.name} actions={<AnotherFile disabled={phase !== undefined} onClick={another} />}>
        <FileChoices
          inspection={inspection}
          choices={choices}
          disabled={work.busy}
          onChange={steps.change}
          onInspect={steps.inspectAgain}
        />
      </Panel>
      <Panel title={t('import.columns')}>
        <ColumnTable
          inspection={inspection}
          members={choices.members}
          given={choices.client === null ? [] : ['partyReferenceCode']}
          disabled={work.busy}
          onMembers={(members) => steps.change({ members })}
        />
      </Panel>
      {checked && !phase && <CheckedFile fields={inspection.fields} outcome={checked.outcome} />}
      {phase && <PhaseProgress phase={phase} percent={percent} />}
      <WorkFailure error={work.error} />
      <Group>
        {checked ? (
          <Button
            data-main-action
            loading={work.busy}
            disabled={checked.outcome.inserted === 0}
            leftSection={<Icon name="play" size={15} />}
            onClick={() => void steps.start(checked)}
          >
            {t('import.run', {
              count: checked.outcome.inserted,
              number: formatNumber(checked.outcome.inserted),
            })}
          </Button>
        ) : (
          <Button
            data-main-action
            loading={work.busy}
            leftSection={<Icon name="check" size={15} />}
            onClick={() => void steps.check()}
          >
            {t('import.check')}
          </Button>
        )}
        {!checked && (
          <Text size="sm" c="dimmed">
            {t('import.checkAbout')}
          </Text>
        )}
      </Group>
    </>
  )
}

function AnotherFile({ disabled, onClick }: { disabled: boolean; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button variant="default" size="xs" disabled={disabled} onClick={onClick}>
      {t('import.another')}
    </Button>
  )
}

function PhaseProgress({ phase, percent }: { phase: Phase; percent: number }) {
  const { t } = useTranslation()
  const title = phase === 'checking' ? t('import.checking') : t('import.importing')
  return (
    <div role="status">
      <Text size="sm" mb={4}>
        {title}
      </Text>
      <Progress value={percent} animated aria-label={title} />
    </div>
  )
}

/** What kept the job from reading the file is told by the job, not by a request. */
function WorkFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  if (!(error instanceof JobFailed)) return <ProblemAlert error={error} />
  return (
    <Alert color="red" variant="light" title={t('import.failed')} role="alert">
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {error.message}
      </Text>
    </Alert>
  )
}
