import { Button, Group, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EntityForm } from '../../forms/entity-form.tsx'
import { labelOf } from '../../texts/labels.ts'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page, Panel } from '../../widgets/page.tsx'

/** The forms that a new record is made by: a field of one's own is seen there at once. */
const forms = [
  ['debtor', 'create'],
  ['case', 'register'],
  ['client', 'create'],
  ['user', 'create'],
] as const

/** Fields and lookup values that the agency adds, with a look at the form that they appear in. */
export default function FieldsPage() {
  const { t } = useTranslation()
  const [entity, setEntity] = useState<string>('debtor')
  const [open, setOpen] = useState<'field' | 'lookupvalue'>()
  const [made, setMade] = useState(0)
  const type = forms.find(([name]) => name === entity)![1]
  return (
    <Page
      title={t('navigation.fields')}
      about={t('fields.about')}
      actions={
        <Group gap="xs">
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen('field')}>
            {t('fields.new')}
          </Button>
          <Button variant="default" onClick={() => setOpen('lookupvalue')}>
            {t('fields.newValue')}
          </Button>
        </Group>
      }
    >
      <Panel
        title={t('fields.preview')}
        actions={
          <Select
            size="xs"
            aria-label={t('field.entity')}
            data={forms.map(([name]) => ({ value: name, label: labelOf(`entity.${name}`, name) }))}
            value={entity}
            allowDeselect={false}
            onChange={(next) => setEntity(next!)}
          />
        }
      >
        <div inert className="preview">
          <EntityForm key={`${entity} ${made}`} entity={entity} type={type} onDone={() => {}} />
        </div>
      </Panel>
      {open && (
        <FormDialog
          title={open === 'field' ? t('fields.new') : t('fields.newValue')}
          entity={open}
          type="create"
          place={{}}
          {...(open === 'field' && { preset: { entity } })}
          onDone={() => {
            noticeDone(t('form.stored'))
            setMade(made + 1)
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}
