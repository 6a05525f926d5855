import { NumberInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dashboardMonths, type Dashboard } from '../../../../contract/insight/dashboards.ts'
import { api } from '../../api/client.ts'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { SharingFields, type Sharing } from './sharing-fields.tsx'
import { TileChooser } from './tile-chooser.tsx'
import { useDashboardRights, visibleTiles, type ShownDashboard } from './use-dashboards.ts'

/** A saved dashboard with the version that its change is about. */
export interface FormerDashboard {
  saved: Dashboard
  etag: string | undefined
}

interface DashboardDialogProps {
  /** What the dialog starts with. */
  start: ShownDashboard
  /** The dashboard that is changed; none for a new one. */
  former?: FormerDashboard | undefined
  onStored: (dashboardGuid: string) => Promise<void>
  onClose: () => void
}

const nobody: Sharing = { roles: [], groupGuids: [], defaultRoles: [] }

/** Saves a dashboard: its name, tiles, months and client, and with whom it is shared. */
export function DashboardDialog({ start, former, onStored, onClose }: DashboardDialogProps) {
  const { t } = useTranslation()
  const saved = former?.saved
  const { mayShare, seesCosts } = useDashboardRights()
  const [name, setName] = useState(saved?.name ?? '')
  const [tiles, setTiles] = useState(visibleTiles(start.tiles, seesCosts))
  const [months, setMonths] = useState<number | string>(start.months)
  const [clientGuid, setClientGuid] = useState(start.clientGuid)
  const [sharing, setSharing] = useState<Sharing>(saved ?? nobody)
  const { roles, groupGuids, defaultRoles } = sharing
  const store = async () => {
    const body = {
      name,
      tiles,
      months: Number(months),
      clientGuid: clientGuid ?? '',
      ...(mayShare && { roles, groupGuids, defaultRoles }),
    }
    const ifMatch = former?.etag === undefined ? {} : { ifMatch: former.etag }
    const { dashboardGuid } = saved
      ? await api.updateDashboard({ dashboardGuid: saved.dashboardGuid, body }, ifMatch)
      : await api.createDashboard({ body })
    await onStored(dashboardGuid)
  }
  return (
    <WorkDialog
      title={saved ? t('dashboards.edit') : t('dashboards.new')}
      submit={t('action.save')}
      disabled={name.trim() === '' || tiles.length === 0 || months === ''}
      onSubmit={store}
      onClose={onClose}
    >
      <TextInput
        label={t('field.name')}
        value={name}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TileChooser tiles={tiles} onChange={setTiles} />
      <NumberInput
        label={t('dashboards.months')}
        min={dashboardMonths.minimum}
        max={dashboardMonths.maximum}
        allowDecimal={false}
        value={months}
        onChange={setMonths}
      />
      <LookupSelect
        code="client"
        label={t('dashboards.client')}
        placeholder={t('dashboards.allClients')}
        value={clientGuid}
        onChange={setClientGuid}
      />
      {mayShare && <SharingFields sharing={sharing} onChange={setSharing} />}
    </WorkDialog>
  )
}
