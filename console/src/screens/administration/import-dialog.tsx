import { FileInput, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importedKinds, type ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { translateLabel } from '../../texts/labels.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'

/** Uploads a file and starts its import in the background. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [file, setFile] = useState<File | null>(null)
  const [what, setWhat] = useState<ImportedKind>('debtors')
  const [source, setSource] = useState('import')
  const [encoding, setEncoding] = useState<'utf-8' | 'windows-1252'>('utf-8')
  const run = async () => {
    const { fileGuid } = await api.uploadFile({
      what,
      fileName: file!.name,
      source,
      encoding,
      body: file!,
    })
    await api.runCommand({ command: 'import', body: { argument: [fileGuid] } })
    noticeDone(t('job.asked'))
    void refresh('listJobs')
  }
  return (
    <WorkDialog
      title={t('import.title')}
      submit={t('command.start')}
      disabled={!file}
      onSubmit={run}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('import.about')}
      </Text>
      <FileInput
        label={t('import.file')}
        accept=".csv,.tsv,.txt,.ndjson,.jsonl"
        required
        value={file}
        onChange={setFile}
      />
      <Select
        label={t('import.what')}
        data={importedKinds.map((value) => ({
          value,
          label: translateLabel(`lookup.importkind.${value}`, value),
        }))}
        value={what}
        allowDeselect={false}
        onChange={(next) => setWhat(next!)}
      />
      <TextInput
        label={t('import.source')}
        description={t('import.sourceAbout')}
        required
        maxLength={50}
        value={source}
        onChange={(event) => setSource(event.currentTarget.value)}
      />
      <Select
        label={t('import.encoding')}
        data={[
          { value: 'utf-8', label: 'UTF-8' },
          { value: 'windows-1252', label: 'Windows-1252' },
        ]}
        value={encoding}
        allowDeselect={false}
        onChange={(next) => setEncoding(next!)}
      />
    </WorkDialog>
  )
}
