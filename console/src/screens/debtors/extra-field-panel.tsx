import { ActionIcon, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { AddButton } from '../../widgets/list-panel.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { useMayKeep } from './address-panel.tsx'

const changed = () => refresh('listExtraFields', 'listAuditEntries', 'listTimeline')

type Open = { what: 'new' } | { what: 'edit' | 'delete'; name: string } | undefined

export function ExtraFieldPanel({ debtorGuid }: { debtorGuid: string }) {
  const { t } = useTranslation()
  const mayWrite = useMayKeep()
  const [open, setOpen] = useState<Open>()
  const { data, error } = useQuery(reading('listExtraFields', { debtorGuid, $top: 100, $orderby: 'name' }))
  const close = () => setOpen(undefined)
  const done = () => {
    noticeDone(t('form.stored'))
    void changed()
    close()
  }
  const button = (what: 'edit' | 'delete', name: string) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(what === 'edit' ? 'extra.editThis' : 'extra.deleteThis', { name })}
      onClick={() => setOpen({ what, name })}
    >
      <Icon name={what === 'edit' ? 'edit' : 'trash'} size={16} />
    </ActionIcon>
  )
  return (
    <Panel
      title={t('extra.title')}
      actions={mayWrite && <AddButton label={t('extra.new')} onClick={() => setOpen({ what: 'new' })} />}
    >
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={2} />}
      {data?.body.total === 0 && (
        <Text size="sm" c="dimmed">
          {t('extra.none')}
        </Text>
      )}
      <dl className="facts">
        {data?.body.value.map(({ name, value }) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <span style={{ whiteSpace: 'pre-line' }}>{value.join('\n')}</span>
                {mayWrite && (
                  <Group gap={4} wrap="nowrap">
                    {button('edit', name)}
                    {button('delete', name)}
                  </Group>
                )}
              </Group>
            </dd>
          </div>
        ))}
      </dl>
      {open?.what === 'new' && (
        <FormDialog
          title={t('extra.new')}
          entity="extrafield"
          type="create"
          place={{ id: debtorGuid }}
          onDone={done}
          onClose={close}
        />
      )}
      {open?.what === 'edit' && (
        <FormDialog
          title={t('extra.edit')}
          entity="extrafield"
          type="edit"
          place={{ id: debtorGuid, name: open.name }}
          onDone={done}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && (
        <ConfirmDialog
          title={t('extra.delete')}
          about={t('extra.deleteAbout', { name: open.name })}
          confirm={t('action.delete')}
          onConfirm={() => api.deleteExtraField({ debtorGuid, name: open.name }).then(changed)}
          onClose={close}
        />
      )}
    </Panel>
  )
}
