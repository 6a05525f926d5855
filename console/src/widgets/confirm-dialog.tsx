import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './problem-alert.tsx'
import { useWork } from './use-work.ts'

interface ConfirmDialogProps {
  title: string
  about: string
  confirm: string
  onConfirm: () => Promise<unknown>
  /** What a refusal offers besides, such as to request an approval. */
  onRefused?: (error: unknown) => ReactNode
  onClose: () => void
}

/** Confirms an action that cannot be undone. Shows a refusal. */
export function ConfirmDialog({ title, about, confirm, onConfirm, onRefused, onClose }: ConfirmDialogProps) {
  const { t } = useTranslation()
  const work = useWork()
  const run = async () => {
    if (await work.run(onConfirm)) onClose()
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Text size="sm" mb="md">
        {about}
      </Text>
      <ProblemAlert error={work.error} />
      {work.error !== null && onRefused?.(work.error)}
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button color="red" loading={work.busy} onClick={() => void run()}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
