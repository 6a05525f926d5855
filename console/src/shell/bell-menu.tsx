import { Box, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Notification } from '../../../contract/platform/notifications.ts'
import { reading } from '../api/queries.ts'
import { formatDateTime } from '../format/format.ts'
import { useMay } from '../session/session.ts'
import { Icon } from '../widgets/icons.tsx'
import { BellButton } from './bell-button.tsx'
import { markNotifications } from './mark-notifications.ts'
import { notificationText, notificationUrl } from './notification-text.ts'

const shown = 8

/** The newest notifications. Open at first: the menu is loaded by a press. */
export default function BellMenu({ unread }: { unread: number }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(true)
  const { data } = useQuery({ ...reading('listNotifications', { $top: shown }), enabled: opened })
  const rows = data?.body.value
  return (
    <Menu
      width={360}
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      opened={opened}
      onChange={setOpened}
    >
      <Menu.Target>
        <BellButton unread={unread} autoFocus />
      </Menu.Target>
      <Menu.Dropdown className="bell-menu">
        {rows?.length === 0 && <Menu.Item disabled>{t('notification.nothing')}</Menu.Item>}
        {rows?.map((row) => (
          <BellItem key={row.notificationGuid} row={row} />
        ))}
        <Menu.Divider />
        {unread > 0 && (
          <Menu.Item
            leftSection={<Icon name="check" size={16} />}
            closeMenuOnClick={false}
            onClick={() => void markNotifications(true)}
          >
            {t('notification.readAll')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="bell" size={16} />} component={Link} to="/notifications">
          {t('notification.all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Opens what it is about, and is read then. */
function BellItem({ row }: { row: Notification }) {
  const { t } = useTranslation()
  const url = notificationUrl(row, useMay('system.admin'))
  const read = () => {
    if (!row.isRead) void markNotifications(true, [row.notificationGuid])
  }
  const about = [row.caseNumber, row.debtorName, formatDateTime(row.createdAt)].filter(Boolean).join(' · ')
  const content = (
    <>
      <Text size="sm" fw={row.isRead ? 400 : 600} lh={1.35}>
        {notificationText(t, row)}
      </Text>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
    </>
  )
  const mark = (
    <Box className="unread-mark" data-unread={!row.isRead || undefined}>
      {!row.isRead && <span className="visually-hidden">{t('notification.unread')}</span>}
    </Box>
  )
  if (url === undefined)
    return (
      <Menu.Item leftSection={mark} closeMenuOnClick={false} onClick={read}>
        {content}
      </Menu.Item>
    )
  return (
    <Menu.Item leftSection={mark} component={Link} to={url as '/'} onClick={read}>
      {content}
    </Menu.Item>
  )
}
