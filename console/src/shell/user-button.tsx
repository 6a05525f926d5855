import { Avatar, UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../session/session.ts'
import { Icon } from '../widgets/icons.tsx'

type UserButtonProps = UnstyledButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof UnstyledButtonProps>

/** The user's photo; a button for the user's menu. */
export function UserButton(props: UserButtonProps) {
  const { t } = useTranslation()
  const user = useUser()
  const photo =
    user.photoImage && user.photoImageType ? `data:${user.photoImageType};base64,${user.photoImage}` : null
  return (
    <UnstyledButton aria-label={t('shell.userMenu', { name: user.fullName ?? user.email ?? '' })} {...props}>
      <Avatar src={photo} size={32} color="fjord" alt="">
        <Icon name="person" />
      </Avatar>
    </UnstyledButton>
  )
}
