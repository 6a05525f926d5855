import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './problem-alert.tsx'
import { useWork } from './use-work.ts'

interface WorkDialogProps {
  title: string
  /** What its button says. */
  submit: string
  disabled?: boolean
  /** Why it cannot be done now, beside what is said of a refusal. */
  error?: unknown
  /** The dialog closes after it, and stays with the refusal when it fails. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** A few fields of a page's own, and what is done with them. */
export function WorkDialog({ title, submit, disabled, error, onSubmit, onClose, children }: WorkDialogProps) {
  const { t } = useTranslation()
  const work = useWork()
  const run = () => onSubmit().then(onClose)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <form onSubmit={work.onSubmit(run)}>
        <Stack gap="md">
          {children}
          <ProblemAlert error={work.error ?? error} />
          <Group>
            <Button type="submit" loading={work.busy} disabled={disabled ?? false}>
              {submit}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('action.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
