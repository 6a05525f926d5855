import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Notification } from '../../../../contract/platform/notifications.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { markNotifications } from '../../shell/mark-notifications.ts'
import { notificationText, notificationUrl } from '../../shell/notification-text.ts'
import { Page } from '../../widgets/page.tsx'

/** What the row says is put together from its members, so it has a column of its own. */
const row = {
  properties: {
    ...Notification.properties,
    said: { type: 'string', title: 'What happened', 'x-field': { unfilterable: true } },
  },
}

/** All notifications of the user, each to be marked as read or unread. */
export default function NotificationList() {
  const { t } = useTranslation()
  return (
    <Page
      title={t('notification.title')}
      about={t('notification.about')}
      actions={
        <Button variant="default" onClick={() => void markNotifications(true)}>
          {t('notification.readAll')}
        </Button>
      }
    >
      <DataList<Notification & { said?: never }>
        operation="listNotifications"
        name="notifications"
        row={row}
        getKey={({ notificationGuid }) => notificationGuid}
        columns={['createdAt', 'said', 'caseNumber', 'debtorName']}
        cells={{ said: (one) => <Said row={one} /> }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('notification.unread'), filter: 'isRead eq false' },
        ]}
        rowAction={(one) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void markNotifications(!one.isRead, [one.notificationGuid])}
          >
            {t(one.isRead ? 'notification.markUnread' : 'notification.markRead')}
          </Button>
        )}
        empty={t('notification.none')}
      />
    </Page>
  )
}

function Said({ row: one }: { row: Notification }) {
  const { t } = useTranslation()
  const url = notificationUrl(one, useMay('system.admin'))
  const text = <span style={{ fontWeight: one.isRead ? 400 : 600 }}>{notificationText(t, one)}</span>
  if (url === undefined) return text
  const read = () => {
    if (!one.isRead) void markNotifications(true, [one.notificationGuid])
  }
  return (
    <Anchor component={Link} to={url as '/'} size="sm" onClick={read}>
      {text}
    </Anchor>
  )
}
