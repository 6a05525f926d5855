import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ClientListItem } from '../../../../contract/parties/clients.ts'
import { refresh } from '../../api/queries.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { FirstButton } from '../../widgets/empty/first-button.tsx'
import { FormDialog } from '../../widgets/form-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'

const ClientBulk = lazy(() => import('./client-bulk.tsx'))

export default function ClientList() {
  const { t } = useTranslation()
  const mayWrite = useMay('client.write')
  const [making, setMaking] = useState(false)
  return (
    <Page
      title={t('navigation.clients')}
      actions={
        mayWrite && (
          <Button
            data-main-action
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setMaking(true)}
          >
            {t('client.new')}
          </Button>
        )
      }
    >
      <DataList<ClientListItem>
        operation="listClients"
        name="clients"
        row={ClientListItem}
        getKey={({ clientGuid }) => clientGuid}
        columns={['name', 'partyReferenceCode', 'parentPartyReferenceCode', 'countryCode', 'currencyCode']}
        link={{ member: 'name', to: ({ clientGuid }) => `/clients/${clientGuid}` }}
        quick="name"
        sort="name"
        bulkMatching
        {...(mayWrite && {
          bulk: (rows, clear, matching) => (
            <Suspense fallback={null}>
              <ClientBulk rows={rows} matching={matching} onClear={clear} />
            </Suspense>
          ),
        })}
        empty={t('client.none')}
        emptyAction={mayWrite && <FirstButton onClick={() => setMaking(true)} />}
      />
      {making && (
        <FormDialog
          title={t('client.new')}
          entity="client"
          type="create"
          place={{}}
          onDone={() => {
            noticeDone(t('form.stored'))
            void refresh('listClients')
            setMaking(false)
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  )
}
