import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Message } from '../../../../contract/platform/messages.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'
import { formatDateTime } from '../../format/format.ts'

export default function OutboxList() {
  const { t } = useTranslation()
  return (
    <Page title={t('navigation.outbox')} about={t('outbox.about')}>
      <DataList<Message>
        operation="listMessages"
        name="outbox"
        row={Message}
        keyOf={({ messageGuid }) => messageGuid}
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
          sentAt: ({ sentAt }) =>
            sentAt === null ? (
              <Badge variant="light" color="yellow" size="sm">
                {t('outbox.waiting')}
              </Badge>
            ) : (
              formatDateTime(sentAt)
            ),
        }}
        empty={t('outbox.none')}
      />
    </Page>
  )
}
