import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Icon } from '../icons.tsx'

type FirstButtonProps = { onClick: () => void } | { to: string }

/** The action of an empty list: adds its first record. */
export function FirstButton(props: FirstButtonProps) {
  const { t } = useTranslation()
  const looks = { size: 'xs', variant: 'default', leftSection: <Icon name="plus" size={14} /> } as const
  if ('to' in props)
    return (
      <Button {...looks} component={Link} to={props.to as '/'}>
        {t('list.first')}
      </Button>
    )
  return (
    <Button {...looks} onClick={props.onClick}>
      {t('list.first')}
    </Button>
  )
}
