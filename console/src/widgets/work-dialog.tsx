import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from './problem-alert.tsx'
import { useWork } from './use-work.ts'

interface WorkDialogProps {
  title: string
  /** The label of its button. */
  submit: string
  disabled?: boolean
  /** Wide enough for tables. */
  wide?: boolean
  /** Why the action is not possible now, in addition to errors of the service. */
  error?: unknown
  /** The dialog closes on success, and shows the error on failure. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  /** The fields. */
  children: ReactNode
}

/** A dialog with a page's own fields and an action. */
export function WorkDialog(props: WorkDialogProps) {
  const { title, submit, disabled, wide = false, error, onSubmit, onClose, children } = props
  const { t } = useTranslation()
  const work = useWork()
  const [typed, setTyped] = useState(false)
  const run = () => onSubmit().then(onClose)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={wide ? 'xl' : 'md'}
      // With input, only a button discards it, as in a form's dialog.
      closeOnClickOutside={!typed}
      closeOnEscape={!typed}
      onInput={() => setTyped(true)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form onSubmit={work.onSubmit(run)}>
        <Stack gap="md">
          {children}
          <div className="form-foot">
            <ProblemAlert error={work.error ?? error} />
            <Group>
              <Button type="submit" loading={work.busy} disabled={disabled ?? false}>
                {submit}
              </Button>
              <Button variant="default" onClick={onClose}>
                {t('action.cancel')}
              </Button>
            </Group>
          </div>
        </Stack>
      </form>
    </Modal>
  )
}
