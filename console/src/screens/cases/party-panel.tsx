import { ActionIcon, Anchor, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaseByGuid } from '../../../../contract/cases/all-cases.ts'
import { api } from '../../api/client.ts'
import { useMay } from '../../session/session.ts'
import { translateLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { AddButton } from '../../widgets/list-panel.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { refreshCase } from './case-changes.ts'

type Party = CaseByGuid['debtors'][number]

/** The debtors, payers and representatives of a case. */
export function PartyPanel({ record, isPast }: { record: CaseByGuid | undefined; isPast?: boolean }) {
  const { t } = useTranslation()
  const mayWrite = useMay('case.write') && !isPast
  const [open, setOpen] = useState<'new' | Party>()
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={t('parties.title')}
      actions={mayWrite && record && <AddButton label={t('parties.new')} onClick={() => setOpen('new')} />}
    >
      {!record && <LinesSkeleton lines={2} />}
      <ul className="explanation">
        {record?.debtors.map((party) => (
          <li key={party.debtorGuid} className="lined">
            <div>
              <Anchor component={Link} to={`/debtors/${party.debtorGuid}` as '/'} size="sm" fw={500}>
                {party.fullName}
              </Anchor>
              <Text size="xs" c="dimmed">
                {translateLabel(`lookup.debtorrole.${party.debtorRole}`, party.debtorRole)}
              </Text>
            </div>
            {mayWrite && party.debtorRole !== 'MAIN_DEBTOR' && (
              <Group wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('parties.removeThis', { name: party.fullName })}
                  onClick={() => setOpen(party)}
                >
                  <Icon name="trash" size={16} />
                </ActionIcon>
              </Group>
            )}
          </li>
        ))}
      </ul>
      {record && open === 'new' && (
        <FormDialog
          title={t('parties.new')}
          entity="case"
          type="debtor"
          place={{ id: record.caseGuid }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refreshCase()
            close()
          }}
          onClose={close}
        />
      )}
      {record && open && open !== 'new' && (
        <ConfirmDialog
          title={t('parties.remove')}
          about={t('parties.removeAbout', { name: open.fullName })}
          confirm={t('action.delete')}
          onConfirm={() =>
            api
              .deleteFromForm({ entity: 'case', type: 'debtor', id: record.caseGuid, subId: open.debtorGuid })
              .then(refreshCase)
          }
          onClose={close}
        />
      )}
    </Panel>
  )
}
