import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { FormScreen } from '../../forms/form-screen.tsx'
import { noticeDone } from '../../widgets/notices.ts'

export default function ClientCreate() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <FormScreen
      title={t('client.new')}
      entity="client"
      type="create"
      back="/clients"
      onDone={(answer) => {
        noticeDone(t('form.stored'))
        void refresh('listClients')
        const clientGuid = String(answer?.['clientGuid'])
        void navigate({ to: '/clients/$clientGuid', params: { clientGuid }, ignoreBlocker: true })
      }}
    />
  )
}
