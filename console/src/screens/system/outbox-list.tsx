import { useTranslation } from 'react-i18next'
import { Message } from '../../../../contract/platform/messages.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { formatDateTime } from '../../format/format.ts'

export default function OutboxList() {
  const { t } = useTranslation()
  return (
    <Page title={t('navigation.outbox')} about={t('outbox.about')}>
      <DataList<Message>
        operation="listMessages"
        name="outbox"
        row={Message}
        getKey={({ messageGuid }) => messageGuid}
        columns={[
          'createdAt',
          'channel',
          'recipient',
          'subject',
          'sentAt',
          'heldReason',
          'heldUntil',
          'attempts',
          'lastError',
        ]}
        cells={{
          sentAt: ({ sentAt, heldReason }) =>
            sentAt === null ? (
              <StateBadge lookup="letterstate" state={heldReason === null ? 'WAITING' : 'HELD'} />
            ) : (
              formatDateTime(sentAt)
            ),
        }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('lookup.letterstate.WAITING'), filter: 'sentAt eq null and heldReason eq null' },
          { label: t('lookup.letterstate.HELD'), filter: 'sentAt eq null and heldReason ne null' },
          { label: t('lookup.letterstate.SENT'), filter: 'sentAt ne null' },
        ]}
        empty={t('outbox.none')}
      />
    </Page>
  )
}
