import { Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { UserFieldListItem } from '../../../../contract/access/user-fields.ts'
import { queryClient } from '../../api/queries.ts'
import { EntityForm } from '../../forms/entity-form.tsx'
import { translateLabel } from '../../texts/labels.ts'
import { Panel } from '../../widgets/page.tsx'
import { RecordPage } from './record-page.tsx'

/** The forms that create records: a new custom field appears there at once. */
const forms = [
  ['debtor', 'create'],
  ['case', 'register'],
  ['client', 'create'],
  ['user', 'create'],
] as const

/** Custom fields and overrides, with a preview of the form that shows them. */
export default function FieldsPage() {
  const { t } = useTranslation()
  const [entity, setEntity] = useState<string>('debtor')
  const [changes, setChanges] = useState(0)
  const type = forms.find(([name]) => name === entity)![1]
  const drawAnew = () => {
    queryClient.removeQueries({ queryKey: ['form', entity, type] })
    setChanges(changes + 1)
  }
  return (
    <RecordPage<UserFieldListItem>
      title={t('navigation.fields')}
      about={t('fields.about')}
      newText={t('fields.new')}
      preset={{ entity }}
      entity="field"
      write="form.admin"
      operation="listUserFields"
      name="fields"
      row={UserFieldListItem}
      getKey={({ fieldGuid }) => fieldGuid}
      getName={({ entity: of, code }) => `${of} ${code}`}
      columns={['entity', 'code', 'type', 'textEn', 'required', 'hidden']}
      quick="code"
      empty={t('fields.none')}
      onChange={drawAnew}
    >
      <Panel
        title={t('fields.preview')}
        actions={
          <Select
            size="xs"
            aria-label={t('field.entity')}
            data={forms.map(([name]) => ({ value: name, label: translateLabel(`entity.${name}`, name) }))}
            value={entity}
            allowDeselect={false}
            onChange={(next) => setEntity(next!)}
          />
        }
      >
        <div inert className="preview">
          <EntityForm key={`${entity} ${changes}`} entity={entity} type={type} onDone={() => {}} />
        </div>
      </Panel>
    </RecordPage>
  )
}
