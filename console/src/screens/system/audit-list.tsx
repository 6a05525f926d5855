import { useTranslation } from 'react-i18next'
import { AuditEntry } from '../../../../contract/insight/audit.ts'
import { DataList } from '../../lists/data-list.tsx'
import { capitalise, translateLabel } from '../../texts/labels.ts'
import { ActorName } from '../../widgets/actor-name.tsx'
import { ChangeList } from '../../widgets/changes/change-list.tsx'
import { Page } from '../../widgets/page.tsx'
import { useChainCheck } from './chain-check.tsx'

const { operation, operationId, ...members } = AuditEntry.properties
const filterOnly = { filterOnly: true }

/** Changes are several values, so they have a column of their own. */
const row = {
  properties: {
    ...members,
    // Codes of the specification and of the API. Filters that were saved while they were columns have them.
    operation: { ...operation, 'x-field': filterOnly },
    operationId: { ...operationId, 'x-field': filterOnly },
    changes: { type: 'string', title: 'Changes', 'x-field': { unfilterable: true } },
  },
}

export default function AuditList() {
  const { t } = useTranslation()
  const check = useChainCheck()
  return (
    <Page title={t('navigation.audit')} about={t('audit.about')} actions={check.button}>
      {check.outcome}
      <DataList<AuditEntry>
        operation="listAuditEntries"
        name="audit"
        row={row}
        getKey={({ position }) => String(position)}
        columns={['occurredAt', 'actorGuid', 'entity', 'action', 'changes']}
        cells={{
          actorGuid: ({ actorGuid }) => <ActorName guid={actorGuid} />,
          entity: ({ entity }) => translateLabel(`entity.${entity}`, entity),
          action: ({ action }) => capitalise(translateLabel(`audit.${action}`, action)),
          changes: ({ changes, currencyCode }) => (
            <ChangeList changes={changes} currencyCode={currencyCode} withGuids />
          ),
        }}
        empty={t('audit.none')}
      />
    </Page>
  )
}
