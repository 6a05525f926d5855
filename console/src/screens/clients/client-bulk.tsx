import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientListItem } from '../../../../contract/parties/clients.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { BulkBar } from '../../lists/bulk/bulk-bar.tsx'
import { BulkDialog } from '../../lists/bulk/bulk-dialog.tsx'
import { BulkJobDialog } from '../../lists/bulk/bulk-job-dialog.tsx'
import type { Matching } from '../../lists/bulk/matching.ts'
import { Icon } from '../../widgets/icons.tsx'
import { StrategySelect } from './strategy-select.tsx'

interface ClientBulkProps {
  rows: readonly ClientListItem[]
  matching: Matching | undefined
  onClear: () => void
}

const reload = () => void refresh('listClients', 'getClient', 'listStrategies')

/** The actions for the selected clients. */
export default function ClientBulk({ rows, matching, onClear }: ClientBulkProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const count = matching?.total ?? rows.length
  return (
    <BulkBar
      count={count}
      onClear={onClear}
      dialog={open && <StrategyDialog rows={rows} matching={matching} onClose={() => setOpen(false)} />}
    >
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="right" size={14} />}
        onClick={() => setOpen(true)}
      >
        {t('bulk.strategy')}
      </Button>
    </BulkBar>
  )
}

function StrategyDialog({
  rows,
  matching,
  onClose,
}: Omit<ClientBulkProps, 'onClear'> & { onClose: () => void }) {
  const { t } = useTranslation()
  const [strategy, setStrategy] = useState<string | null>(null)
  const field = <StrategySelect strategy={strategy} onChange={setStrategy} />
  if (matching)
    return (
      <BulkJobDialog
        title={t('bulk.strategy')}
        list="clients"
        matching={matching}
        ask={strategy === null ? undefined : { action: 'strategy', input: { strategy } }}
        onChanged={reload}
        onClose={onClose}
      >
        {field}
      </BulkJobDialog>
    )
  return (
    <BulkDialog
      title={t('bulk.strategy')}
      rows={rows}
      getName={({ name, partyReferenceCode }) => `${partyReferenceCode} · ${name}`}
      work={
        strategy === null
          ? undefined
          : async ({ clientGuid }) => {
              await api.assignStrategy({ clientGuid, body: { strategy } })
              return undefined
            }
      }
      onChanged={reload}
      onClose={onClose}
    >
      {field}
    </BulkDialog>
  )
}
