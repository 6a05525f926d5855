import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { signOut, useUser } from '../session/session.ts'
import { Icon } from '../widgets/icons.tsx'
import { UserButton } from './user-button.tsx'

/** The user's menu. Open at first: it is loaded by a press. */
export default function UserMenu() {
  const { t } = useTranslation()
  const user = useUser()
  const name = user.fullName ?? user.email ?? ''
  return (
    <Menu width={230} defaultOpened>
      <Menu.Target>
        <UserButton autoFocus />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        <Menu.Item leftSection={<Icon name="person" size={16} />} component={Link} to="/profile">
          {t('shell.profile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="info" size={16} />}
          component="a"
          href="/docs"
          target="_blank"
          rel="noopener"
        >
          {t('shell.docs')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="document" size={16} />}
          component="a"
          href="/reference"
          target="_blank"
          rel="noopener"
        >
          {t('shell.reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{t('shell.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
