import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { refresh } from '../../api/queries.ts'
import { FormScreen } from '../../forms/form-screen.tsx'
import { noticeDone } from '../../widgets/notices.ts'

/** A payment without a known case; a case's own page knows it. */
export default function PaymentCreate() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <FormScreen
      title={t('payments.new')}
      entity="payment"
      type="register"
      back="/payments"
      onDone={() => {
        noticeDone(t('payments.registered'))
        void refresh('listAllPayments', 'listAllCases', 'getCaseOverview', 'listCases')
        void navigate({ to: '/payments', ignoreBlocker: true })
      }}
    />
  )
}
