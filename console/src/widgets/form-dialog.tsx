import { Modal, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FormSource, FormValues } from '../forms/definition.ts'
import { EntityForm } from '../forms/entity-form.tsx'
import type { FormPlace } from '../forms/form-place.ts'

interface FormDialogProps {
  title: string
  /** What the form is about, such as the debtor and case of a payment. */
  about?: string
  entity: string
  type: string
  place: FormPlace
  /** Preset values. */
  preset?: FormValues
  /** The currency of the amounts of a form that has no field for it. */
  currency?: string
  /** The fields that are shown at first; the others come with "More". */
  main?: readonly string[]
  /** The values of a field that are known beforehand, in place of its lookup. */
  choices?: FormSource['choices']
  /** More input below the fields, which the page stores itself. */
  below?: ReactNode
  onDone: (answer: FormValues | undefined) => void
  onClose: () => void
}

/** A small form in a dialog over its page. */
export function FormDialog({
  title,
  about,
  entity,
  type,
  place,
  preset,
  currency,
  main,
  choices,
  below,
  onDone,
  onClose,
}: FormDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      // With input, only a button discards it: Escape is also a key of lists and calendars.
      closeOnEscape={!typed}
      onInput={() => setTyped(true)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {about !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {about}
        </Text>
      )}
      <EntityForm
        entity={entity}
        type={type}
        place={place}
        compact
        main={main}
        choices={choices}
        below={below}
        currency={currency}
        {...(preset && { preset })}
        onDone={onDone}
        onCancel={onClose}
      />
    </Modal>
  )
}
