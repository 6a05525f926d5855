import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientDetail } from '../../../../contract/parties/clients.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { useMay } from '../../session/session.ts'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { LinesSkeleton, Panel } from '../../widgets/page.tsx'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { StrategySelect } from './strategy-select.tsx'

/** The strategy of a client's cases, its own or that of the party above. */
export function StrategyPanel({ client }: { client: ClientDetail | undefined }) {
  const { t } = useTranslation()
  const mayWrite = useMay('client.write')
  const [open, setOpen] = useState(false)
  return (
    <Panel
      title={t('bulk.strategy')}
      actions={
        client &&
        mayWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="edit" size={14} />}
            onClick={() => setOpen(true)}
            aria-label={t('client.editStrategy')}
          >
            {t('action.edit')}
          </Button>
        )
      }
    >
      {client ? <StrategyInForce client={client} /> : <LinesSkeleton lines={1} />}
      {open && client && <StrategyDialog client={client} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

function StrategyInForce({ client: { strategy, strategyGuid, strategyName } }: { client: ClientDetail }) {
  const { t } = useTranslation()
  if (strategyGuid === null)
    return (
      <Text size="sm" c="dimmed">
        {t('client.noStrategy')}
      </Text>
    )
  return (
    <>
      <Anchor component={Link} to={`/strategies/${strategyGuid}` as '/'} size="sm">
        {strategyName}
      </Anchor>
      {strategy === null && (
        <Text size="xs" c="dimmed">
          {t('client.inheritedStrategy')}
        </Text>
      )}
    </>
  )
}

function StrategyDialog({ client, onClose }: { client: ClientDetail; onClose: () => void }) {
  const { t } = useTranslation()
  const { clientGuid } = client
  const [strategy, setStrategy] = useState<string | null>(client.strategy ?? '')
  const store = async () => {
    await api.assignStrategy({ clientGuid, body: { strategy } })
    await refresh('getClient', 'listStrategies', 'listSetupSteps', 'getCaseWork')
    noticeDone(t('form.stored'))
  }
  return (
    <WorkDialog
      title={t('bulk.strategy')}
      submit={t('action.save')}
      disabled={strategy === null}
      onSubmit={store}
      onClose={onClose}
    >
      <StrategySelect strategy={strategy} onChange={setStrategy} />
    </WorkDialog>
  )
}
