import { ActionIcon, Indicator, type ActionIconProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../widgets/icons.tsx'

type BellButtonProps = { unread: number } & ActionIconProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>

const shownMax = 99

/** The number of unread notifications; a button for their menu. */
export function BellButton({ unread, ...props }: BellButtonProps) {
  const { t } = useTranslation()
  const label = unread === 0 ? t('notification.title') : t('notification.open', { count: unread })
  return (
    <Indicator
      label={unread > shownMax ? `${shownMax}+` : unread}
      disabled={unread === 0}
      color="red.8"
      size={16}
      offset={6}
    >
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label} {...props}>
        <Icon name="bell" />
      </ActionIcon>
    </Indicator>
  )
}
