import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Webhook, WebhookDelivery } from '../../../../contract/integration/webhooks.ts'
import { api } from '../../api/client.ts'
import { reading, refresh } from '../../api/queries.ts'
import { DataList } from '../../lists/data-list.tsx'
import { readListFields } from '../../lists/list-fields.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { Facts } from '../../widgets/facts.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { noticeDone, noticeProblem } from '../../widgets/notices.ts'
import { LinesSkeleton, Page, Panel } from '../../widgets/page.tsx'
import { ProblemAlert } from '../../widgets/problem-alert.tsx'
import { StateBadge } from '../../widgets/state-badge.tsx'
import { DayField } from '../../widgets/days/day-field.tsx'
import { WorkDialog } from '../../widgets/work-dialog.tsx'

const dictionary = readListFields(Webhook)
const facts = [
  'url',
  'description',
  'types',
  'enabled',
  'cloudEvents',
  'pausedAt',
  'pausedReason',
  'createdAt',
]

/** A webhook and its deliveries. */
export default function WebhookPage() {
  const { t } = useTranslation()
  const { webhookGuid } = useParams({ from: '/webhooks/$webhookGuid' })
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'replay' | 'edit' | 'remove'>()
  const shut = () => setAsking(undefined)
  const { data, error } = useQuery(reading('listWebhooks', { $filter: `webhookGuid eq ${webhookGuid}` }))
  const webhook = data?.body.value[0]
  const ping = () => {
    api
      .pingWebhook({ webhookGuid })
      .then(() => noticeDone(t('webhook.pinged')))
      .catch(noticeProblem)
      .finally(() => void refresh('listWebhookDeliveries'))
  }
  return (
    <Page
      title={webhook?.description || t('webhook.title')}
      about={webhook?.url ?? ' '}
      actions={
        <>
          <Button variant="default" disabled={!webhook?.enabled || webhook.pausedAt !== null} onClick={ping}>
            {t('webhook.ping')}
          </Button>
          <Button variant="default" onClick={() => setAsking('replay')}>
            {t('webhook.replay')}
          </Button>
          <Button variant="default" disabled={!webhook} onClick={() => setAsking('edit')}>
            {t('action.edit')}
          </Button>
          <Button variant="default" disabled={!webhook} onClick={() => setAsking('remove')}>
            {t('action.delete')}
          </Button>
        </>
      }
    >
      <ProblemAlert error={error} />
      <Panel title={t('webhook.title')}>
        {webhook ? <Facts fields={dictionary} names={facts} record={webhook} /> : <LinesSkeleton lines={4} />}
      </Panel>
      <DataList<WebhookDelivery>
        operation="listWebhookDeliveries"
        input={{ webhookGuid }}
        name="webhook-deliveries"
        row={WebhookDelivery}
        getKey={({ deliveryGuid }) => deliveryGuid}
        columns={['createdAt', 'type', 'status', 'attempts', 'responseStatus', 'milliseconds', 'lastError']}
        cells={{ status: ({ status }) => <StateBadge lookup="workstatus" state={status} /> }}
        quickFilters={[
          { label: t('worklist.all') },
          { label: t('lookup.workstatus.failed'), filter: "status eq 'failed'" },
          { label: t('lookup.workstatus.waiting'), filter: "status eq 'waiting'" },
        ]}
        empty={t('webhook.noDeliveries')}
      />
      {asking === 'replay' && <ReplayDialog webhookGuid={webhookGuid} onClose={shut} />}
      {asking === 'edit' && (
        <FormDialog
          title={t('webhook.edit')}
          entity="webhook"
          type="edit"
          place={{ id: webhookGuid }}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('listWebhooks')
            shut()
          }}
          onClose={shut}
        />
      )}
      {asking === 'remove' && (
        <ConfirmDialog
          title={t('webhook.remove')}
          about={t('webhook.removeAbout')}
          confirm={t('action.delete')}
          onConfirm={async () => {
            await api.deleteFromForm({ entity: 'webhook', type: 'edit', id: webhookGuid })
            void refresh('listWebhooks')
            void navigate({ to: '/webhooks', ignoreBlocker: true })
          }}
          onClose={shut}
        />
      )}
    </Page>
  )
}

const at = (text: string) => (text === '' ? null : new Date(text).toISOString())

function ReplayDialog({ webhookGuid, onClose }: { webhookGuid: string; onClose: () => void }) {
  const { t } = useTranslation()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const send = async () => {
    await api.replayWebhook({ webhookGuid, body: { from: at(from), to: at(to) } })
    noticeDone(t('job.asked'))
    void refresh('listWebhookDeliveries', 'listWebhooks')
  }
  return (
    <WorkDialog title={t('webhook.replay')} submit={t('webhook.replay')} onSubmit={send} onClose={onClose}>
      <DayField withTime label={t('webhook.from')} value={from} required onChange={setFrom} />
      <DayField withTime label={t('webhook.to')} value={to} onChange={setTo} />
    </WorkDialog>
  )
}
