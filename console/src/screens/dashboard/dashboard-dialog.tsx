import { NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import {
  dashboardMonths,
  type Dashboard,
  type DashboardTile,
} from '../../../../contract/insight/dashboards.ts'
import { api } from '../../api/client.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { useKeptJson } from '../../forms/use-kept-input.ts'
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
const pickSharing = ({ roles, groupGuids, defaultRoles }: Sharing): Sharing => ({
  roles,
  groupGuids,
  defaultRoles,
})

interface Typed extends Sharing {
  name: string
  tiles: DashboardTile[]
  /** Empty while it is typed. */
  months: number | string
  clientGuid: string | null
}

/** Saves a dashboard: its name, tiles, months and client, and with whom it is shared. */
export function DashboardDialog({ start, former, onStored, onClose }: DashboardDialogProps) {
  const { t } = useTranslation()
  const saved = former?.saved
  const { mayShare, seesCosts } = useDashboardRights()
  const kept = useKeptJson<Typed>(`dashboard/${saved?.dashboardGuid ?? 'new'}`, {
    name: saved?.name ?? '',
    tiles: visibleTiles(start.tiles, seesCosts),
    months: start.months,
    clientGuid: start.clientGuid,
    ...pickSharing(saved ?? nobody),
  })
  const { name, tiles, months, clientGuid, roles, groupGuids, defaultRoles } = kept.value
  const change = (part: Partial<Typed>) => kept.change((all) => ({ ...all, ...part }))
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
    kept.drop()
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
      <DraftOffer draft={kept.draft} />
      <TextInput
        label={t('field.name')}
        value={name}
        maxLength={100}
        required
        data-autofocus
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TileChooser tiles={tiles} onChange={(next) => change({ tiles: next })} />
      <NumberInput
        label={t('dashboards.months')}
        min={dashboardMonths.minimum}
        max={dashboardMonths.maximum}
        allowDecimal={false}
        value={months}
        onChange={(next) => change({ months: next })}
      />
      <LookupSelect
        code="client"
        label={t('dashboards.client')}
        placeholder={t('dashboards.allClients')}
        value={clientGuid}
        onChange={(next) => change({ clientGuid: next })}
      />
      {mayShare && <SharingFields sharing={{ roles, groupGuids, defaultRoles }} onChange={change} />}
    </WorkDialog>
  )
}
