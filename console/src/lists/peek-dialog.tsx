import { Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Facts } from '../widgets/facts.tsx'
import type { ListField } from './list-fields.ts'

interface PeekDialogProps {
  title: string
  record: object
  fields: readonly ListField[]
  to: string | undefined
  onClose: () => void
}

/** Everything that a list knows of a row, over the list. */
export default function PeekDialog({ title, record, fields, to, onClose }: PeekDialogProps) {
  const { t } = useTranslation()
  const names = fields
    .filter(({ kind, name }) => kind !== 'guid' && !name.endsWith('Id'))
    .map(({ name }) => name)
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Facts fields={fields} names={names} record={record} />
      {to !== undefined && (
        <Button component={Link} to={to as '/'} mt="md">
          {t('list.open')}
        </Button>
      )}
    </Modal>
  )
}
