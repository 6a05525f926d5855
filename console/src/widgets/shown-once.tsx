import { Button, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ShownOnceProps {
  title: string
  about: string
  /** The label of the button by which the reader says that the secret is kept. */
  kept: string
  onClose: () => void
  /** The secret. */
  children: ReactNode
}

/** A dialog with a secret that cannot be read again. */
export function ShownOnce({ title, about, kept, onClose, children }: ShownOnceProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={title}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{about}</Text>
        {children}
        <Button onClick={onClose}>{kept}</Button>
      </Stack>
    </Modal>
  )
}
