import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import { FileDrop } from '../../widgets/file-drop.tsx'
import { Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useWork } from '../../widgets/use-work.ts'
import { BankFile } from '../payments/bank-file.tsx'
import { isBankFile } from '../payments/bank-format.ts'
import { useKeptBankFile } from '../payments/kept-bank-file.ts'
import { ImportFile } from './import-file.tsx'
import { inspectImport } from './import-work.ts'
import { ImportTemplates } from './import-templates.tsx'

interface Chosen {
  file: File
  inspection: FileInspection
}

/** The import wizard: choose a file, match its columns, check it, import it. */
export default function ImportPage() {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<Chosen>()
  const [bankFile, setBankFile] = useKeptBankFile('import')
  const work = useWork()
  const choose = (file: File) =>
    void work.run(async () => {
      if (await isBankFile(file)) setBankFile(file)
      else setChosen({ file, inspection: await inspectImport(file) })
    })
  if (bankFile)
    return (
      <Page title={t('import.title')} about={t('paymentFile.about')}>
        <BankFile
          key={`${bankFile.name} ${bankFile.lastModified}`}
          file={bankFile}
          onAnother={() => setBankFile(undefined)}
        />
      </Page>
    )
  return (
    <Page title={t('import.title')} about={t('import.about')}>
      {chosen ? (
        <ImportFile
          key={`${chosen.file.name} ${chosen.file.lastModified}`}
          file={chosen.file}
          first={chosen.inspection}
          onAnother={() => setChosen(undefined)}
        />
      ) : (
        <>
          <FileDrop
            label={t('import.choose')}
            about={t('import.drop')}
            accept=".csv,.tsv,.txt,.xlsx,.ndjson,.jsonl,.xml,.bgmax,.ocr,.dat"
            busy={work.busy}
            onFile={choose}
          />
          <ProblemAlert error={work.error} />
          <Panel title={t('import.templates')}>
            <Text size="sm" c="dimmed" mb="sm">
              {t('import.templatesAbout')}
            </Text>
            <ImportTemplates />
          </Panel>
        </>
      )}
    </Page>
  )
}
