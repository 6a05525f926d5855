/** A list of records with forms to create, change and delete them. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListName } from '../../../../client/operations.ts'
import { api } from '../../api/client.ts'
import { queryClient, refresh } from '../../api/queries.ts'
import type { FormValues } from '../../forms/definition.ts'
import { DataList, type DataListProps } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'

interface RecordPageProps<Row> extends Omit<DataListProps<Row>, 'rowAction' | 'emptyAction'> {
  title: string
  about?: string
  /** The entity of the forms `create` and `edit`. */
  entity: string
  /** The access code needed to change records. */
  write: string
  /** The name of a row in dialogs. */
  getName: (row: Row) => string
  /** The button and the dialog that create one. */
  newText: string
  /** Preset values of a new record. */
  preset?: FormValues
  /** Called after a change, in addition to reloading the list. */
  onChange?: () => void
  above?: ReactNode
  children?: ReactNode
}

type Open<Row> = { how: 'create' } | { how: 'edit' | 'delete'; row: Row }

export function RecordPage<Row extends object>(props: RecordPageProps<Row>) {
  const { title, about, write, getName, newText, above, children } = props
  const mayWrite = useMay(write)
  const [open, setOpen] = useState<Open<Row>>()
  return (
    <Page
      title={title}
      {...(about !== undefined && { about })}
      actions={
        mayWrite && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen({ how: 'create' })}>
            {newText}
          </Button>
        )
      }
    >
      {above}
      <DataList<Row>
        {...props}
        {...(mayWrite && {
          emptyAction: <FirstButton onClick={() => setOpen({ how: 'create' })} />,
          rowAction: (row: Row) => <RowButtons row={row} name={getName(row)} onOpen={setOpen} />,
        })}
      />
      {children}
      {open && <RecordDialog {...props} open={open} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

interface RowButtonsProps<Row> {
  row: Row
  name: string
  onOpen: (open: Open<Row>) => void
}

function RowButtons<Row>({ row, name, onOpen }: RowButtonsProps<Row>) {
  const { t } = useTranslation()
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('record.edit', { name })}
        onClick={() => onOpen({ how: 'edit', row })}
      >
        <Icon name="edit" size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('record.delete', { name })}
        onClick={() => onOpen({ how: 'delete', row })}
      >
        <Icon name="trash" size={16} />
      </ActionIcon>
    </Group>
  )
}

interface RecordDialogProps<Row> extends RecordPageProps<Row> {
  open: Open<Row>
  onClose: () => void
}

function RecordDialog<Row extends object>(props: RecordDialogProps<Row>) {
  const { entity, operation, getKey, getName, newText, preset, onChange, open, onClose } = props
  const { t } = useTranslation()
  const done = (text: string) => {
    noticeDone(text)
    void refresh(operation satisfies ListName)
    // Lookups of other forms may contain the record.
    void queryClient.invalidateQueries({ queryKey: ['lookup'] })
    onChange?.()
    onClose()
  }
  if (open.how === 'delete') {
    const remove = async () => {
      await api.deleteFromForm({ entity, type: 'edit', id: getKey(open.row) })
      done(t('record.deleted'))
    }
    return (
      <ConfirmDialog
        title={t('record.delete', { name: getName(open.row) })}
        about={t('record.deleteAbout')}
        confirm={t('action.delete')}
        onConfirm={remove}
        onClose={onClose}
      />
    )
  }
  const isNew = open.how === 'create'
  return (
    <FormDialog
      title={isNew ? newText : t('record.edit', { name: getName(open.row) })}
      entity={entity}
      type={open.how}
      place={isNew ? {} : { id: getKey(open.row) }}
      {...(isNew && preset && { preset })}
      onDone={() => done(t('form.stored'))}
      onClose={onClose}
    />
  )
}
