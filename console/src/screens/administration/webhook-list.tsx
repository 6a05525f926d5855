import { useTranslation } from 'react-i18next'
import { Webhook } from '../../../../contract/webhooks.ts'
import { DataList } from '../../lists/data-list.tsx'
import { Page } from '../../widgets/page.tsx'

export default function WebhookList() {
  const { t } = useTranslation()
  return (
    <Page title={t('navigation.webhooks')} about={t('webhook.about')}>
      <DataList<Webhook>
        operation="listWebhooks"
        name="webhooks"
        row={Webhook}
        keyOf={({ webhookGuid }) => webhookGuid}
        columns={['url', 'description', 'enabled', 'pausedAt', 'pausedReason', 'createdAt']}
        link={{ member: 'url', to: ({ webhookGuid }) => `/webhooks/${webhookGuid}` }}
        quick="url"
        empty={t('webhook.none')}
      />
    </Page>
  )
}
