import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Webhook } from '../../../../contract/integration/webhooks.ts'
import { refresh } from '../../api/queries.ts'
import { DataList } from '../../lists/data-list.tsx'
import { CopyText } from '../../widgets/copy-text.tsx'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { Page } from '../../widgets/page.tsx'
import { ShownOnce } from '../../widgets/shown-once.tsx'

export default function WebhookList() {
  const { t } = useTranslation()
  const [making, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <Page
      title={t('navigation.webhooks')}
      about={t('webhook.about')}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
          {t('webhook.new')}
        </Button>
      }
    >
      <DataList<Webhook>
        operation="listWebhooks"
        name="webhooks"
        row={Webhook}
        getKey={({ webhookGuid }) => webhookGuid}
        columns={['url', 'description', 'enabled', 'pausedAt', 'pausedReason', 'createdAt']}
        link={{ member: 'url', to: ({ webhookGuid }) => `/webhooks/${webhookGuid}` }}
        quick="url"
        empty={t('webhook.none')}
        emptyAction={<FirstButton onClick={() => setMaking(true)} />}
      />
      {making && (
        <FormDialog
          title={t('webhook.new')}
          entity="webhook"
          type="create"
          place={{}}
          onDone={(made) => {
            void refresh('listWebhooks')
            setMaking(false)
            setSecret(String(made?.['secret'] ?? ''))
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {secret && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

/** The secret of a new webhook. */
function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <ShownOnce
      title={t('webhook.secret')}
      about={t('webhook.secretAbout')}
      kept={t('webhook.secretKept')}
      onClose={onClose}
    >
      <CopyText label={t('webhook.secret')} text={secret} />
    </ShownOnce>
  )
}
