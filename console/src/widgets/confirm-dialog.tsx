import { Button, Group, Modal, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './problem-alert.tsx'
import { useWork } from './use-work.ts'

interface ConfirmDialogProps {
  title: string
  about: string
  confirm: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Confirms an action that cannot be undone. Shows a refusal. */
export function ConfirmDialog({ title, about, confirm, onConfirm, onClose }: ConfirmDialogProps) {
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
