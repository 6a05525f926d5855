import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormValues } from '../forms/definition.ts'
import { EntityForm } from '../forms/entity-form.tsx'
import type { FormPlace } from '../forms/form-place.ts'

interface FormDialogProps {
  title: string
  entity: string
  type: string
  place: FormPlace
  /** What is known already, and shown filled in. */
  preset?: FormValues
  onDone: (answer: FormValues | undefined) => void
  onClose: () => void
}

/** A small form over the page it belongs to. */
export function FormDialog({ title, entity, type, place, preset, onDone, onClose }: FormDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      // Typed text goes by a button that says so, not by a key that a list or a calendar takes too.
      closeOnEscape={!typed}
      onInput={() => setTyped(true)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <EntityForm
        entity={entity}
        type={type}
        place={place}
        {...(preset && { preset })}
        onDone={onDone}
        onCancel={onClose}
      />
    </Modal>
  )
}
