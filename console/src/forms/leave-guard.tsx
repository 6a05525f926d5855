import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

interface LeaveGuardProps {
  active: boolean
  /** The input stays when the user goes to another screen: only closing the tab loses it. */
  isKept?: boolean
}

/** Asks before unsaved input is lost, also when the tab is closed. */
export function LeaveGuard({ active, isKept = false }: LeaveGuardProps) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: () => active && !isKept,
    enableBeforeUnload: () => active,
    withResolver: true,
    disabled: !active,
  })
  const blocked = blocker.status === 'blocked'
  return (
    <Modal
      opened={blocked}
      onClose={() => blocker.reset?.()}
      title={t('leave.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Text size="sm">{t('leave.about')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {t('leave.leave')}
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          {t('leave.stay')}
        </Button>
      </Group>
    </Modal>
  )
}
