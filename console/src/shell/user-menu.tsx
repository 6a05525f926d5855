import { Avatar, Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { signOut, useUser } from '../session/session.ts'
import { Icon } from '../widgets/icons.tsx'

export function UserMenu() {
  const { t } = useTranslation()
  const user = useUser()
  const photo =
    user.photoImage && user.photoImageType ? `data:${user.photoImageType};base64,${user.photoImage}` : null
  const name = user.fullName ?? user.email ?? ''
  return (
    <Menu width={230}>
      <Menu.Target>
        <UnstyledButton aria-label={t('shell.userMenu', { name })}>
          <Avatar src={photo} size={32} color="fjord" alt="">
            <Icon name="person" />
          </Avatar>
        </UnstyledButton>
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
