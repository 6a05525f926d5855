import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { Icon, type IconName } from '../../widgets/icons.tsx'

interface ToolButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  icon: IconName
}

/** A button above a list. */
export function ToolButton({ icon, ...props }: ToolButtonProps) {
  return <Button variant="default" size="sm" leftSection={<Icon name={icon} size={15} />} {...props} />
}
