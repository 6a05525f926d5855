import { ActionIcon, Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard } from '../../../../contract/insight/dashboards.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { DashboardDialog, type FormerDashboard } from './dashboard-dialog.tsx'
import { standardChoice, toShown, useDashboardRights } from './use-dashboards.ts'

interface DashboardToolsProps {
  dashboards: readonly Dashboard[]
  saved: Dashboard | undefined
  choose: (dashboardGuid: string) => void
}

/** Chooses a dashboard; saves a new one, changes and deletes it. */
export function DashboardTools({ dashboards, saved, choose }: DashboardToolsProps) {
  const { t } = useTranslation()
  const { mayCreate } = useDashboardRights()
  const [dialog, setDialog] = useState<'new' | 'edit' | 'delete'>()
  const [former, setFormer] = useState<FormerDashboard>()
  const close = () => setDialog(undefined)
  const edit = async () => {
    const { body, etag } = await api.withAnswer.getDashboard({ dashboardGuid: saved!.dashboardGuid })
    setFormer({ saved: body, etag })
    setDialog('edit')
  }
  const remove = async () => {
    await api.deleteDashboard({ dashboardGuid: saved!.dashboardGuid })
    await refresh('listDashboards')
    noticeDone(t('dashboards.deleted'))
  }
  const store = async (dashboardGuid: string) => {
    await refresh('listDashboards')
    choose(dashboardGuid)
    noticeDone(t('form.stored'))
  }
  return (
    <>
      {dashboards.length > 0 && (
        <Select
          aria-label={t('dashboards.choose')}
          data={[
            { value: standardChoice, label: t('dashboards.standard') },
            ...dashboards.map(({ dashboardGuid, name, shared }) => ({
              value: dashboardGuid,
              label: shared ? name : t('dashboards.own', { name }),
            })),
          ]}
          value={saved?.dashboardGuid ?? standardChoice}
          allowDeselect={false}
          onChange={(value) => choose(value!)}
        />
      )}
      {saved?.mayChange && (
        <>
          <Button variant="default" onClick={() => void edit().catch(noticeProblem)}>
            {t('action.edit')}
          </Button>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('dashboards.delete')}
            onClick={() => setDialog('delete')}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </>
      )}
      {mayCreate && (
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setDialog('new')}
        >
          {t('dashboards.new')}
        </Button>
      )}
      {dialog === 'new' && <DashboardDialog start={toShown(saved)} onStored={store} onClose={close} />}
      {dialog === 'edit' && (
        <DashboardDialog start={toShown(former?.saved)} former={former} onStored={store} onClose={close} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t('dashboards.delete')}
          about={t('dashboards.deleteAbout', { name: saved!.name })}
          confirm={t('action.delete')}
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  )
}
