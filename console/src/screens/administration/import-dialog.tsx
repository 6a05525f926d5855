import { Button, FileInput, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importedKinds, type ImportedKind } from '../../../../contract/uploads.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { labelOf } from '../../texts/labels.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'

/** Uploads a file and has it imported in the background. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const work = useWork()
  const [file, setFile] = useState<File | null>(null)
  const [what, setWhat] = useState<ImportedKind>('debtors')
  const [source, setSource] = useState('import')
  const [encoding, setEncoding] = useState<string>('utf-8')
  const run = async () => {
    const { fileGuid } = await api.uploadFile({
      what,
      fileName: file!.name,
      source,
      encoding: encoding as 'utf-8',
      body: file!,
    })
    await api.runCommand({ command: 'import', body: { argument: [fileGuid] } })
    noticeDone(t('job.asked'))
    void refresh('listJobs')
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('import.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form onSubmit={work.onSubmit(run)}>
        <Stack gap="md">
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
            data={importedKinds.map((value) => ({ value, label: labelOf(`code.imported.${value}`, value) }))}
            value={what}
            allowDeselect={false}
            onChange={(next) => setWhat(next as ImportedKind)}
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
          <ProblemAlert error={work.error} />
          <Group>
            <Button type="submit" loading={work.busy} disabled={!file}>
              {t('command.start')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
