import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccessGroup } from '../../../../contract/access-groups.ts'
import { api } from '../../api/client.ts'
import { queryClient, reading, refresh } from '../../api/queries.ts'
import { lookUp } from '../../forms/server-form.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { TableFrame } from '../../widgets/table-frame.tsx'

/** It reads the whole contract, which nothing else in the browser needs. */
const AccessMatrix = lazy(() => import('./access-matrix.tsx'))

/** Sets of access codes that the agency names for itself, who may do what by them, and what each code opens. */
export default function AccessPage() {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'new' | { edit: AccessGroup } | { remove: AccessGroup }>()
  const { data, error } = useQuery(reading('listAccessGroups', { $orderby: 'name', $top: 100 }))
  const groups = data?.body.value
  const shut = () => setOpen(undefined)
  const changed = () => {
    noticeDone(t('form.stored'))
    void refresh('listAccessGroups')
    void queryClient.invalidateQueries({ queryKey: ['lookup', 'accessgroup'] })
    shut()
  }
  return (
    <Page
      title={t('navigation.access')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpen('new')}>
          {t('access.new')}
        </Button>
      }
    >
      <Panel title={t('navigation.access')}>
        <ProblemAlert error={error} />
        {!groups && !error && <LinesSkeleton lines={3} />}
        {groups?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('access.none')}
          </Text>
        )}
        {groups && groups.length > 0 && (
          <Groups
            groups={groups}
            onEdit={(edit) => setOpen({ edit })}
            onRemove={(remove) => setOpen({ remove })}
          />
        )}
      </Panel>
      <Panel title={t('access.matrix')}>
        <Suspense fallback={<LinesSkeleton lines={12} />}>
          {groups && <AccessMatrix groups={groups} />}
        </Suspense>
      </Panel>
      <Codes />
      {open && (open === 'new' || 'edit' in open) && (
        <FormDialog
          title={open === 'new' ? t('access.new') : t('access.edit', { name: open.edit.name })}
          entity="accessgroup"
          type={open === 'new' ? 'create' : 'edit'}
          place={open === 'new' ? {} : { id: open.edit.accessGroupGuid }}
          onDone={changed}
          onClose={shut}
        />
      )}
      {open && open !== 'new' && 'remove' in open && (
        <ConfirmDialog
          title={t('access.remove', { name: open.remove.name })}
          about={t('access.removeAbout')}
          confirm={t('action.delete')}
          onConfirm={async () => {
            await api.deleteFromForm({
              entity: 'accessgroup',
              type: 'edit',
              id: open.remove.accessGroupGuid,
            })
            changed()
          }}
          onClose={shut}
        />
      )}
    </Page>
  )
}

interface GroupsProps {
  groups: readonly AccessGroup[]
  onEdit: (group: AccessGroup) => void
  onRemove: (group: AccessGroup) => void
}

function Groups({ groups, onEdit, onRemove }: GroupsProps) {
  const { t } = useTranslation()
  return (
    <TableFrame title={t('navigation.access')}>
      <thead>
        <tr>
          <th scope="col">{t('field.name')}</th>
          <th scope="col">{t('access.code')}</th>
          <th scope="col">{t('access.has')}</th>
          <th>
            <span className="visually-hidden">{t('list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.accessGroupGuid}>
            <th scope="row">{group.name}</th>
            <td className="code">{group.code}</td>
            <td style={{ whiteSpace: 'normal' }}>{group.accessCodes.join(', ')}</td>
            <td>
              <Group gap={4} wrap="nowrap" justify="flex-end">
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('access.edit', { name: group.name })}
                  onClick={() => onEdit(group)}
                >
                  {t('action.edit')}
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('access.remove', { name: group.name })}
                  onClick={() => onRemove(group)}
                >
                  {t('action.delete')}
                </Button>
              </Group>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  )
}

function Codes() {
  const { t } = useTranslation()
  const { data, error } = useQuery({
    queryKey: ['lookup', 'accesscode', ''],
    queryFn: ({ signal }) => lookUp('accesscode', '', signal),
  })
  return (
    <Panel title={t('access.codes')}>
      <ProblemAlert error={error} />
      {!data && !error && <LinesSkeleton lines={3} />}
      <dl className="facts">
        {data?.map(({ key, text }) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt className="code">{key}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
