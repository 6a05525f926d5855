import { Button, Group, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './problem-alert.tsx'

interface ConfirmDialogProps {
  title: string
  about: string
  confirm: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** For what cannot be undone. A refusal is said here. */
export function ConfirmDialog({ title, about, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Text size="sm" mb="md">
        {about}
      </Text>
      <ProblemAlert error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button color="red" loading={busy} onClick={() => void run()}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
