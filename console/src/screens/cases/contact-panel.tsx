import { Badge, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CaseContact } from '../../../../contract/cases/all-cases.ts'
import { readListFields } from '../../lists/list-fields.ts'
import { translateLabel } from '../../texts/labels.ts'
import { Facts } from '../../widgets/facts.tsx'
import { Panel } from '../../widgets/page.tsx'

const dictionary = readListFields(CaseContact)
const names = [
  'cellularPhone',
  'homePhone',
  'workPhone',
  'email',
  'address',
  'languageCode',
  'preferredChannel',
]

/** How to reach the main debtor. */
export function ContactPanel({ contact }: { contact: CaseContact }) {
  const { t } = useTranslation()
  const warnings = [
    contact.underAged === true && t('debtor.underAged'),
    contact.protectedIdentity === true && translateLabel('field.protectedIdentity', ''),
  ].filter((text) => text !== false)
  return (
    <Panel title={t('group.contact')}>
      {warnings.length > 0 && (
        <Group gap="xs" mb="xs">
          {warnings.map((text) => (
            <Badge key={text} color="yellow" variant="light" tt="none">
              {text}
            </Badge>
          ))}
        </Group>
      )}
      <Facts fields={dictionary} names={names} record={contact} />
    </Panel>
  )
}
