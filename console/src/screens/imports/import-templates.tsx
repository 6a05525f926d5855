import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importedKinds, type ImportedKind } from '../../../../contract/integration/imported-kinds.ts'
import { saveFile } from '../../lists/save-file.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeProblem } from '../../widgets/notices.ts'
import { readTemplate } from './read-template.ts'

/** Templates to download: one kind, as a workbook or CSV. */
export function ImportTemplates() {
  const { t } = useTranslation()
  const [what, setWhat] = useState<ImportedKind>('debtors')
  const save = (format: 'csv' | 'xlsx') =>
    void readTemplate(what, format)
      .then((blob) => saveFile(blob, `${translateLabel(`lookup.importkind.${what}`, what)}.${format}`))
      .catch(noticeProblem)
  return (
    <Group align="flex-end">
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
      <Button variant="default" leftSection={<Icon name="download" size={15} />} onClick={() => save('xlsx')}>
        {t('import.templateExcel')}
      </Button>
      <Button variant="default" leftSection={<Icon name="download" size={15} />} onClick={() => save('csv')}>
        {t('import.templateCsv')}
      </Button>
    </Group>
  )
}
